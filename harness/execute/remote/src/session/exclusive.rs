//! Exclusive loads and stores (Arm Architecture Reference Manual, B2.12 "Synchronization and
//! semaphores"). A step ends in an exception, which clears the processor's exclusive monitor, so no
//! exclusive store would ever take place. So this crate executes exclusive stores: a store takes
//! place if memory still has the bytes that the exclusive load read.

use types::Reg;

use super::Session;
use crate::aarch64::{Exclusive, ExclusiveKind};
use crate::arch;
use crate::error::RemoteError;

/// Address and bytes of the last exclusive load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Monitor {
    address: u64,
    bytes: Vec<u8>,
}

impl Session {
    /// Executes an exclusive store, or records an exclusive load, which is the next instruction.
    /// Returns false if the stub must execute the instruction.
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

    /// The bytes that a store writes: the first register is at the lower address.
    fn values(&self, access: &Exclusive) -> Vec<u8> {
        let bytes = |register: &Option<Reg>| {
            let mut bytes = vec![0; access.width];
            self.facts.order.store(&mut bytes, register.map_or(0, |register| self.register(register)));
            bytes
        };
        access.registers.iter().flat_map(bytes).collect()
    }
}
