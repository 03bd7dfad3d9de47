//! How the list of options becomes two types, what was given and what is in force, and their ways to and from plain data.

macro_rules! options {
    ($($(#[$doc:meta])* $field:ident: $type:ty = $default:expr, $key:literal, $accepts:expr;)+) => {
        /// The options that were given; an absent one takes the preset's or the crate's default.
        ///
        /// Ranges are checked when the options are used, never while they are set.
        ///
        /// ```
        /// use nucleus_sampler::Options;
        /// let options = Options { temperature: Some(0.8), top_p: Some(0.95), seed: Some(42), ..Options::default() };
        /// # assert!(options.check().is_ok());
        /// ```
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Options { $($(#[$doc])* pub $field: Option<$type>,)+ }

        /// The value of every option in force.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Settings { $($(#[$doc])* pub $field: $type,)+ }

        impl Default for Settings {
            fn default() -> Settings {
                Settings { $($field: $default,)+ }
            }
        }

        /// The key of every option with what it accepts.
        pub const PARAMETERS: &[(&str, Accepts)] = &[$(($key, $accepts)),+];

        impl Options {
            /// Checks every given value against its range; the first failure in declaration order is the error.
            pub fn check(&self) -> Result<()> {
                $(plain::check_given($key, const { &$accepts }, &self.$field)?;)+
                Ok(())
            }

            /// Takes over every value that `over` gives.
            pub fn merge(&mut self, over: &Options) {
                $(plain::put_over(&mut self.$field, &over.$field);)+
            }

            /// Reads one option by its key; the value's range is checked.
            fn set(&mut self, key: &str, value: &Value) -> Result<()> {
                match key {
                    $($key => plain::read_into(&mut self.$field, $key, const { &$accepts }, value),)+
                    _ => Err(plain::unknown(key)),
                }
            }

            /// The given options as plain data, with their keys.
            pub fn to_value(&self) -> Value {
                let mut entries = Vec::new();
                $(plain::nest_given(&mut entries, $key, &self.$field);)+
                Value::Map(entries)
            }
        }

        impl Settings {
            /// Puts the given options over these settings.
            pub(crate) fn apply(&mut self, given: &Options) {
                $(if let Some(value) = &given.$field { self.$field = value.clone(); })+
            }

            /// The settings as plain data; options that are absent by default (lists, windows) appear when in force.
            pub fn to_value(&self) -> Value {
                let default = Settings::default();
                let mut entries = Vec::new();
                $(if !<$type as Parameter>::HIDDEN_BY_DEFAULT || self.$field != default.$field {
                    plain::nest(&mut entries, $key, self.$field.write());
                })+
                Value::Map(entries)
            }
        }
    };
}
