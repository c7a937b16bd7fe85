//! A value for each of the two tables.

use crate::blame::Table;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PerTable<T> {
    pub sframe: T,
    pub eh_frame: T,
}

impl<T> PerTable<T> {
    /// The values of a function.
    #[inline]
    pub fn from_fn(mut of: impl FnMut(Table) -> T) -> PerTable<T> {
        PerTable { sframe: of(Table::Sframe), eh_frame: of(Table::EhFrame) }
    }

    #[inline]
    pub const fn get(&self, table: Table) -> &T {
        match table {
            Table::Sframe => &self.sframe,
            Table::EhFrame => &self.eh_frame,
        }
    }

    /// The values of a function of these values.
    #[inline]
    pub fn map<U>(self, mut of: impl FnMut(Table, T) -> U) -> PerTable<U> {
        PerTable { sframe: of(Table::Sframe, self.sframe), eh_frame: of(Table::EhFrame, self.eh_frame) }
    }

    /// Returns true if a value has a property.
    #[inline]
    pub fn any(&self, is_so: impl Fn(&T) -> bool) -> bool {
        is_so(&self.sframe) || is_so(&self.eh_frame)
    }

    /// Returns true if both values have a property.
    #[inline]
    pub fn all(&self, is_so: impl Fn(&T) -> bool) -> bool {
        is_so(&self.sframe) && is_so(&self.eh_frame)
    }
}
