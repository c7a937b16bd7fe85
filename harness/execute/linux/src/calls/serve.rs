//! Dispatch of system calls to their implementations.

use super::Clone;
use super::files::HERE;
use super::stat::NO_FOLLOW;
use super::transfer::At;
use crate::call::Call;
use crate::descriptors::{What, flag};
use crate::errno::{Errno, Refusal};
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::processes::Forked;
use crate::registers::Registers;
use crate::space::Space;
use crate::tree::Last;

/// Unit of the second word of a `struct timeval`, in nanoseconds.
const MICROSECOND: u64 = 1000;

impl Kernel {
    pub(crate) fn answer(
        &mut self,
        call: Call,
        arguments: [u64; 6],
        registers: &mut dyn Registers,
        memory: &mut dyn Memory,
    ) -> Result<u64, Refusal> {
        let [a, b, c, d, e, f] = arguments;
        Ok(match call {
            // The parent receives the low eight bits (POSIX `exit`).
            Call::Exit => return Err(Refusal::Exit((a & 0xff) as i32)),
            Call::Returns(value) => i64::from(value) as u64,
            Call::Refused(errno) => return Err(errno.into()),
            Call::ExitThread => return Err(self.exit_thread(a, memory)),
            Call::Clone => self.clone(Clone { flags: a, stack: b, parent_at: c, child_at: d, pointer: e }, memory)?,
            Call::CloneBackwards => {
                self.clone(Clone { flags: a, stack: b, parent_at: c, child_at: e, pointer: d }, memory)?
            }
            Call::CloneStackFirst => {
                self.clone(Clone { flags: b, stack: a, parent_at: c, child_at: d, pointer: e }, memory)?
            }
            Call::Clone3 => self.clone3(a, b, memory)?,
            Call::Fork => self.fork(Forked::COPY)?,
            Call::Vfork => self.fork(Forked::SHARING)?,
            Call::Wait4 => self.wait4(arguments, memory)?,
            Call::Waitid => self.waitid(arguments, memory)?,
            Call::ProcessId => self.processes.now.into(),
            Call::Parent => self.parent(),
            Call::Execve => return Err(self.execve(HERE, [a, b, c, 0], memory)?),
            Call::Execveat => return Err(self.execve(a, [b, c, d, e], memory)?),

            Call::Open => self.open(HERE, a, b, c, memory)?,
            Call::Openat => self.open(a, b, c, d, memory)?,
            Call::Creat => self.open(HERE, a, flag::CREATE | flag::WRITE_ONLY | flag::TRUNCATE, b, memory)?,
            Call::Close => self.close(a)?,
            Call::CloseRange => self.close_range(a, b, c)?,
            Call::Dup => self.descriptors.copy(a, 0, false)?,
            Call::Dup2 if a == b => self.descriptors.get(a).map(|_| b)?,
            Call::Dup2 => self.copy_descriptor(a, b, false)?,
            Call::Dup3 if a == b => return Err(Errno::Invalid.into()),
            Call::Dup3 => self.copy_descriptor(a, b, c & flag::CLOSE_ON_EXEC != 0)?,
            Call::Fcntl => self.fcntl(a, b, c, memory)?,
            Call::Ioctl => self.ioctl(a, b, c, memory)?,

            Call::Read => self.read(a, b, c, At::Offset, memory)?,
            Call::Write => self.write(a, b, c, At::Offset, memory)?,
            Call::Pread => self.read(a, b, c, At::Place(d), memory)?,
            Call::Pwrite => self.write(a, b, c, At::Place(d), memory)?,
            Call::Readv => self.vector(b, c, memory, |kernel, base, length, _, memory| {
                kernel.read(a, base, length, At::Offset, memory)
            })?,
            Call::Writev => self.vector(b, c, memory, |kernel, base, length, _, memory| {
                kernel.write(a, base, length, At::Offset, memory)
            })?,
            Call::Preadv => self.vector(b, c, memory, |kernel, base, length, done, memory| {
                kernel.read(a, base, length, At::Place(d + done), memory)
            })?,
            Call::Pwritev => self.vector(b, c, memory, |kernel, base, length, done, memory| {
                kernel.write(a, base, length, At::Place(d + done), memory)
            })?,
            Call::Sendfile => self.sendfile(arguments, memory)?,
            Call::Lseek => self.lseek(a, b, c)?,
            Call::Truncate => {
                let node = self.found(HERE, a, Last::Follow, memory)?;
                self.truncate(node, b)?
            }
            Call::Ftruncate => self.truncate(self.writable(a)?, b)?,
            Call::Fallocate => self.fallocate(arguments)?,

            Call::Stat => self.stat_at([HERE, a, b, 0, 0, 0], memory)?,
            Call::Lstat => self.stat_at([HERE, a, b, NO_FOLLOW, 0, 0], memory)?,
            Call::Fstat => self.fstat(a, b, memory)?,
            Call::Newfstatat => self.stat_at(arguments, memory)?,
            Call::Statx => self.statx(arguments, memory)?,
            Call::Statfs => {
                self.found(HERE, a, Last::Follow, memory)?;
                self.statfs(b, memory)?
            }
            Call::Fstatfs => {
                self.descriptors.get(a)?;
                self.statfs(b, memory)?
            }
            Call::Statfs64 => {
                self.found(HERE, a, Last::Follow, memory)?;
                self.statfs(c, memory)?
            }
            Call::Fstatfs64 => {
                self.descriptors.get(a)?;
                self.statfs(c, memory)?
            }
            Call::Access => self.access([HERE, a, b, 0, 0, 0], memory)?,
            Call::Faccessat => self.access([a, b, c, 0, 0, 0], memory)?,
            Call::Readlink => self.read_link(HERE, a, b, c, memory)?,
            Call::Readlinkat => self.read_link(a, b, c, d, memory)?,

            Call::Getdents => self.getdents(a, b, c, memory)?,
            Call::Mkdir => self.make_folder(HERE, a, b, memory)?,
            Call::Mkdirat => self.make_folder(a, b, c, memory)?,
            Call::Rmdir => self.remove_folder(HERE, a, memory)?,
            Call::Unlink => self.unlink(HERE, a, 0, memory)?,
            Call::Unlinkat => self.unlink(a, b, c, memory)?,
            Call::Rename => self.rename([HERE, a, HERE, b, 0, 0], memory)?,
            Call::Renameat => self.rename([a, b, c, d, 0, 0], memory)?,
            Call::Renameat2 => self.rename([a, b, c, d, e, 0], memory)?,
            Call::Link => self.link([HERE, a, HERE, b, 0, 0], memory)?,
            Call::Linkat => self.link(arguments, memory)?,
            Call::Symlink => self.make_link(a, HERE, b, memory)?,
            Call::Symlinkat => self.make_link(a, b, c, memory)?,
            Call::Chdir => self.change_folder(a, memory)?,
            Call::Fchdir => self.change_folder_to(a)?,
            Call::Getcwd => self.getcwd(a, b, memory)?,
            Call::Chmod => {
                let node = self.found(HERE, a, Last::Follow, memory)?;
                self.change_mode(node, b)?
            }
            Call::Fchmodat => {
                let node = self.found(a, b, Last::Follow, memory)?;
                self.change_mode(node, c)?
            }
            Call::Fchmod => match self.descriptors.get(a)?.what {
                What::Node(node) => self.change_mode(node, b)?,
                _ => 0,
            },
            Call::Chown => self.found(HERE, a, Last::Keep, memory).map(|_| 0)?,
            Call::Fchownat => self.found(a, b, Last::Keep, memory).map(|_| 0)?,
            Call::Utimensat => self.change_time(arguments, memory)?,
            Call::Umask => u64::from(std::mem::replace(&mut self.mask, a as u32 & 0o777)),

            Call::Pipe => self.pipe(a, 0, memory)?,
            Call::Pipe2 => self.pipe(a, b, memory)?,
            Call::Eventfd => self.eventfd(a, b)?,
            Call::MemfdCreate => self.memfd_create(a, b, memory)?,
            Call::Poll => self.poll(a, b, c, memory)?,
            Call::Ppoll => self.with_mask(d, e, memory, |kernel, memory| kernel.ppoll(a, b, c, memory))?,
            Call::Select => self.select(arguments, MICROSECOND, memory)?,
            Call::Pselect => self.pselect(arguments, memory)?,
            Call::EpollCreate => self.epoll_create(a)?,
            Call::EpollCtl => self.epoll_ctl(arguments, memory)?,
            Call::EpollWait => self.epoll_wait(arguments, memory)?,
            Call::EpollPwait => self.with_mask(e, f, memory, |kernel, memory| kernel.epoll_wait(arguments, memory))?,

            Call::Brk => self.space.brk(a, memory),
            Call::Mmap => self.mmap(arguments, memory)?,
            Call::MmapStruct => match *self.words(a, 6, memory).ok_or(Errno::Fault)? {
                [a, b, c, d, e, f] => self.mmap([a, b, c, d, e, f], memory)?,
                _ => return Err(Errno::Fault.into()),
            },
            Call::Munmap => self.space.unmap(a, b, memory)?,
            Call::Mremap => self.space.remap(arguments, memory)?,
            Call::Mprotect => self.space.protect(a, b, c, memory)?,
            Call::Madvise => Space::advise(a, b, c, memory)?,
            Call::Mincore => self.mincore(a, b, c, memory)?,

            Call::ClockGettime => self.time(b, 1, memory)?,
            Call::ClockGetres => self.resolution(b, memory)?,
            Call::Gettimeofday => self.time(a, MICROSECOND, memory)?,
            Call::Time => self.seconds(a, memory)?,
            Call::Times => self.times(a, memory)?,
            Call::Nanosleep => self.nanosleep(a, b, memory)?,
            Call::ClockNanosleep => self.clock_nanosleep(arguments, memory)?,
            Call::Alarm => self.alarm(a),
            Call::Getitimer => self.itimer(a, b, memory)?,
            Call::Setitimer => self.set_itimer(a, b, c, memory)?,
            Call::TimerCreate => self.timer_create(a, b, c, memory)?,
            Call::TimerSettime => self.timer_settime(arguments, memory)?,
            Call::TimerGettime => self.timer_gettime(a, b, memory)?,
            Call::TimerGetoverrun => self.timer_getoverrun(a)?,
            Call::TimerDelete => self.timer_delete(a)?,

            Call::Uname => self.uname(a, memory)?,
            Call::Sysinfo => self.sysinfo(a, memory)?,
            Call::Getrandom => self.getrandom(a, b, memory)?,
            Call::Prlimit => self.limits(b, d, memory)?,
            Call::Getrlimit => self.limits(a, b, memory)?,
            Call::Getrusage => self.usage(b, memory)?,
            Call::Getcpu => self.getcpu(a, b, memory)?,
            Call::Getaffinity => self.affinity(b, c, memory)?,
            Call::Getres => self.three_zeroes(&[a, b, c], memory)?,
            Call::Capget => self.capabilities(a, b, memory)?,
            Call::Prctl => self.prctl(a, b, memory)?,
            Call::ArchPrctl => self.arch_prctl(a, b, registers, memory)?,
            Call::Rseq => self.rseq(a, b, c, memory)?,
            Call::Futex => self.futex(arguments, memory)?,
            Call::ThreadId => self.threads.now.0.into(),
            Call::SetTidAddress => self.set_clear_at(a),
            Call::SetRobustList => self.set_robust_list(a, b)?,
            Call::Yield => {
                self.threads.yields = self.threads.has_others();
                0
            }

            Call::Sigaction => self.sigaction(a, b, c, memory)?,
            Call::Sigprocmask => self.sigprocmask(a, b, c, memory)?,
            Call::Sigpending => self.sigpending(a, memory)?,
            Call::Sigaltstack => self.sigaltstack(a, b, registers, memory)?,
            Call::Kill => self.send_to(a, b)?,
            Call::Tkill => self.send_to_thread(a, b)?,
            Call::Tgkill => self.send_to_thread(b, c)?,
            Call::Sigreturn => return Err(Refusal::HandlerOver { is_plain: false }),
            Call::OldSigreturn => return Err(Refusal::HandlerOver { is_plain: true }),
            Call::Sigsuspend => self.sigsuspend(a, b, memory)?,
            Call::Sigtimedwait => self.sigtimedwait(arguments, memory)?,
            Call::Pause => self.sleep_until_signal("it waits for a signal that never comes").map(|()| 0)?,
        })
    }
}
