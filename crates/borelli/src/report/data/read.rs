//! Reading JSON that this program wrote: a key that is absent or of another kind is named, nothing panics.
//! Not here: what the keys mean.
//! In: a value and a key. Out: what stands there, or the key that is wrong.

use serde_json::Value;

/// What is wrong, in words that follow the name of a file.
pub type Wrong = String;

fn wrong(key: &str, wanted: &str) -> Wrong {
    format!("`{key}` is not {wanted}")
}

/// What stands under a key.
pub fn field<'v>(value: &'v Value, key: &str) -> Result<&'v Value, Wrong> {
    value.get(key).ok_or_else(|| format!("`{key}` is missing"))
}

/// A text.
pub fn text(value: &Value, key: &str) -> Result<String, Wrong> {
    field(value, key)?.as_str().map(str::to_string).ok_or_else(|| wrong(key, "a text"))
}

/// True or false.
pub fn truth(value: &Value, key: &str) -> Result<bool, Wrong> {
    field(value, key)?.as_bool().ok_or_else(|| wrong(key, "true or false"))
}

/// A finite number.
pub fn number(value: &Value, key: &str) -> Result<f64, Wrong> {
    field(value, key)?.as_f64().ok_or_else(|| wrong(key, "a number"))
}

/// A finite number, or nothing for `null`.
pub fn optional_number(value: &Value, key: &str) -> Result<Option<f64>, Wrong> {
    let own = field(value, key)?;
    if own.is_null() { Ok(None) } else { number(value, key).map(Some) }
}

/// A list, item by item.
pub fn each<T>(value: &Value, key: &str, read: impl FnMut(&Value) -> Result<T, Wrong>) -> Result<Vec<T>, Wrong> {
    field(value, key)?.as_array().ok_or_else(|| wrong(key, "a list"))?.iter().map(read).collect()
}

/// A list of so many numbers.
pub fn numbers_of<const N: usize>(value: &Value, key: &str) -> Result<[f64; N], Wrong> {
    let list: Option<Vec<f64>> = value.as_array().and_then(|list| list.iter().map(Value::as_f64).collect());
    list.and_then(|list| list.try_into().ok()).ok_or_else(|| wrong(key, &format!("a list of {N} numbers")))
}

/// A list of so many numbers under a key.
pub fn numbers<const N: usize>(value: &Value, key: &str) -> Result<[f64; N], Wrong> {
    numbers_of(field(value, key)?, key)
}

/// A whole number below a limit.
pub fn index(value: &Value, key: &str, below: usize) -> Result<usize, Wrong> {
    let own = field(value, key)?.as_u64().and_then(|x| usize::try_from(x).ok());
    own.filter(|x| *x < below).ok_or_else(|| wrong(key, &format!("a whole number below {below}")))
}

/// A text in a list of texts.
pub fn plain_text(value: &Value) -> Result<String, Wrong> {
    value.as_str().map(str::to_string).ok_or_else(|| "a text is expected in a list of texts".to_string())
}
