//! Enums of which there is a list of all, and a name of each: both made from the declaration, so that neither can miss one.

/// Declares the enum; `ALL`, in the order of the declaration; and `name`, the text used in keys, files and results: it is printed so, and written
/// and read so by serde.
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

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "enum": $type::ALL.map($type::name).to_vec() })
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                const NAMES: [&str; $type::ALL.len()] = [$($name),+];
                let name = String::deserialize(deserializer)?;
                let found = $type::ALL.into_iter().find(|one| one.name() == name);
                found.ok_or_else(|| serde::de::Error::unknown_variant(&name, &NAMES))
            }
        }
    };
}

pub(crate) use named;
