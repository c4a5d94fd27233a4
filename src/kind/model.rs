//! A model of any type.

use field::{Result, build, walk};
use lint::{Lint, lint_as};

/// A model of any type.
pub type Model = Box<dyn AnyModel>;

/// A model of a whole file.
pub trait AnyModel: build::Lay + walk::Lay + Lint + core::any::Any + Send + Sync {
    /// Returns a copy of the model, which shares long blocks.
    fn copy(&self) -> Model;
}

impl<F: build::Lay + walk::Lay + Lint + Send + Sync + Clone + 'static> AnyModel for F {
    fn copy(&self) -> Model {
        Box::new(self.clone())
    }
}

/// Lets a boxed model be built like the model in it.
impl build::Lay for Box<dyn AnyModel> {
    fn lay(&mut self, t: &mut build::Tape<'_>) -> Result {
        build::Lay::lay(&mut **self, t)
    }
}

/// Lets a boxed model be walked like the model in it.
impl walk::Lay for Box<dyn AnyModel> {
    fn lay(&self, t: &mut walk::Tape<'_>) -> Result {
        walk::Lay::lay(&**self, t)
    }
}

lint_as!(Box<dyn AnyModel>, it => &**it);
