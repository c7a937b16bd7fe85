//! Exclusive loads and stores (Arm Architecture Reference Manual, B2.12 "Synchronization and
//! semaphores"). A step ends in an exception, which clears the processor's monitor, so that no
//! exclusive store would ever take place. It is executed by us: if memory still has what the
//! load read.

use types::{ByteOrder, Reg};

use super::Session;
use crate::aarch64::{Exclusive, ExclusiveKind};
use crate::arch;
use crate::error::RemoteError;

/// What the last exclusive load read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Monitor {
    address: u64,
    bytes: Vec<u8>,
}

impl Session {
    /// Executes an exclusive store, or notes an exclusive load that is about to execute. False where
    /// the instruction has to be executed by the stub.
    pub(super) fn exclusive(&mut self) -> Result<bool, RemoteError> {
        let Some(access) = arch::exclusive(self.abi, self.code.bytes(self.pc())) else { return Ok(false) };
        let address = self.register(access.base);
        match access.kind {
            ExclusiveKind::Clear => {
                self.monitor = None;
                Ok(false)
            }
            ExclusiveKind::Load => {
                let bytes = self.stub().read(address, access.size())?;
                self.monitor = Some(Monitor { address, bytes }).filter(|monitor| monitor.bytes.len() == access.size());
                Ok(false)
            }
            ExclusiveKind::Store { status } => {
                let now = Monitor { address, bytes: self.stub().read(address, access.size())? };
                let stores = self.monitor.take() == Some(now);
                let values = self.values(&access);
                if stores && !self.stub().write(address, &values)? {
                    return Ok(false);
                }
                let (pc, status) = (self.pc(), status);
                if let Some(status) = status {
                    self.set(status, u64::from(!stores))?;
                }
                self.go_to(pc.wrapping_add(crate::aarch64::LENGTH))?;
                Ok(true)
            }
        }
    }

    /// The bytes that a store writes: the first register at the lower address.
    fn values(&self, access: &Exclusive) -> Vec<u8> {
        let bytes = |register: &Option<Reg>| {
            let bytes = self.facts.order.bytes_of(register.map_or(0, |register| self.register(register)));
            match self.facts.order {
                ByteOrder::Little => bytes[..access.width].to_vec(),
                ByteOrder::Big => bytes[8 - access.width..].to_vec(),
            }
        };
        access.registers.iter().flat_map(bytes).collect()
    }
}
