//! Tables of a gait session as CSV, and its summary as JSON: everything the page shows.
//! Not here: folders, the page.

use super::curves::CURVES;
use super::page::event_word;
use super::{Quantity, Walk, gathered};
use crate::report::gait::GaitPage;
use crate::results::number;
use borelli_data::gait::{NUMBERS, ensemble};
use borelli_data::recording::Side;
use serde_json::{Value, json};
use std::fmt::Write;

/// A cell that may hold a comma or a quote.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}

/// One row per trial, side, cycle, curve and per cent of the cycle; ends of the band where errors were drawn.
pub fn curves_csv(walks: &[Walk]) -> String {
    let mut text = "trial,side,cycle,start_s,end_s,curve,quantity,unit,percent,value,low,high\n".to_string();
    for walk in walks {
        for curve in &walk.curves {
            let (cycle, _) = &walk.cycles[curve.cycle];
            let head = format!(
                "{},{},{},{:?},{:?},{},{},{}",
                quoted(&walk.name),
                curve.side.word(),
                curve.cycle + 1,
                cycle.start,
                cycle.end,
                curve.key,
                curve.quantity.word(),
                curve.quantity.unit()
            );
            for (percent, value) in curve.values.iter().enumerate() {
                let ends = curve.band.as_ref().map_or(",".into(), |[low, high]| format!("{:?},{:?}", low[percent], high[percent]));
                let _ = writeln!(text, "{head},{percent},{value:?},{ends}");
            }
        }
    }
    text
}

/// One row per trial and event.
pub fn events_csv(walks: &[Walk]) -> String {
    let mut text = "trial,side,event,time_s,method\n".to_string();
    for walk in walks {
        for own in &walk.events.events {
            let side = own.event.side.map_or("general", Side::word);
            let _ = writeln!(text, "{},{side},{},{:?},{}", quoted(&walk.name), event_word(&own.event.kind), own.event.time, own.method);
        }
    }
    text
}

/// One row per trial, cycle and number.
pub fn numbers_csv(walks: &[Walk]) -> String {
    let mut text = "trial,side,cycle,on_plates,quantity,unit,value\n".to_string();
    for walk in walks {
        for (k, (own, (_, on_plates))) in walk.numbers.iter().zip(&walk.cycles).enumerate() {
            for (number, value) in NUMBERS.iter().zip(&own.values) {
                if let Some(value) = value {
                    let on = u8::from(*on_plates);
                    let _ = writeln!(
                        text,
                        "{},{},{},{on},{},{},{value:?}",
                        quoted(&walk.name),
                        own.side.word(),
                        k + 1,
                        quoted(number.name),
                        number.unit
                    );
                }
            }
        }
    }
    text
}

/// One row per trial, stance and per cent of stance.
pub fn stances_csv(walks: &[Walk]) -> String {
    let mut text = "trial,side,plate,strike_s,off_s,percent,forward_percent_bw,vertical_percent_bw,right_percent_bw\n".to_string();
    for walk in walks {
        for stance in &walk.stances {
            let (strike, off) = stance.span;
            for k in 0..=100 {
                let [x, y, z] = [0, 1, 2].map(|axis| stance.force[axis][k]);
                let head = format!("{},{},{},{strike:?},{off:?}", quoted(&walk.name), stance.side.word(), stance.plate + 1);
                let _ = writeln!(text, "{head},{k},{x:?},{y:?},{z:?}");
            }
        }
    }
    text
}

/// Numbers of the session and the mean curves, with their extremes.
pub fn session_json(walks: &[Walk], page: &GaitPage) -> Value {
    let side = |value: &Option<(f64, Option<f64>, usize)>| match value {
        Some((mean, sd, count)) => json!({ "mean": number(*mean), "sd": sd.map_or(Value::Null, number), "count": count }),
        None => Value::Null,
    };
    let numbers: Vec<Value> = page
        .numbers
        .iter()
        .map(|own| {
            let symmetry = own.symmetry.map_or(Value::Null, number);
            json!({ "quantity": own.quantity, "unit": own.unit, "left": side(&own.sides[0]), "right": side(&own.sides[1]), "symmetry_index": symmetry })
        })
        .collect();
    let mut curves = Vec::new();
    for kind in CURVES {
        for quantity in [Quantity::Angle, Quantity::Moment, Quantity::Power] {
            for side in Side::BOTH {
                let all: Vec<Vec<f64>> = gathered(walks, kind, quantity, side).iter().map(|curve| curve.values.clone()).collect();
                let Some(own) = ensemble(&all) else { continue };
                let extreme = |sign: f64| {
                    let (k, value) = own.mean.iter().enumerate().max_by(|a, b| (sign * a.1).total_cmp(&(sign * b.1))).unwrap_or((0, &0.0));
                    json!({ "percent": k, "value": number(*value) })
                };
                curves.push(json!({
                    "curve": kind.key,
                    "quantity": quantity.word(),
                    "unit": quantity.unit(),
                    "side": side.word(),
                    "cycles": all.len(),
                    "max": extreme(1.0),
                    "min": extreme(-1.0),
                    "mean": own.mean.iter().map(|x| number(*x)).collect::<Vec<_>>(),
                }));
            }
        }
    }
    let remarks: Vec<Value> = page.remarks.iter().map(|r| json!({ "weight": r.weight.word(), "trial": r.trial, "text": r.text })).collect();
    let facts: serde_json::Map<String, Value> = page.facts.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
    json!({ "facts": facts, "numbers": numbers, "curves": curves, "remarks": remarks, "methods": page.methods })
}
