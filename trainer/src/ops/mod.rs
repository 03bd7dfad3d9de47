//! The operations of the network, forward and backward, each checked against finite differences.

pub mod attention;
pub mod cross_entropy;
pub mod dropout;
pub mod exp;
pub mod linear;
pub mod rms_norm;
pub mod rope;
pub mod swiglu;

#[cfg(test)]
pub mod check;
