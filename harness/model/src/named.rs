//! Enums of which there is a list of all, and a name of each: both made from the declaration, so that neither can miss one.

/// Declares the enum; `ALL`, in the order of the declaration; and `name`, the text used in keys, files and results.
macro_rules! named {
    ($(#[$meta:meta])* pub enum $type:ident { $($(#[$of_variant:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $type {
            $($(#[$of_variant])* $variant,)+
        }

        impl $type {
            /// Each once, in the order of reports and of comparisons.
            pub const ALL: [$type; [$($type::$variant),+].len()] = [$($type::$variant),+];

            /// The text used in keys, files and results.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)+
                }
            }
        }
    };
}

pub(crate) use named;
