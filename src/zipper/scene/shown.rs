//! Records, nodes and models in the exchange format, for new ones.
//!
//! Counts, offsets and other values that follow from the rest are absent: they are computed when the file is written.

use crate::gamez::games::Layouts;
use crate::gamez::models::{Light, Model, Polygon};
use crate::gamez::nodes::{Base, Class, NodeExtent, Object};
use field::{Block, I32, Record, U32, Value};

/// Returns a record as the object of its fields.
pub(super) fn record<R: Record>(of: &R) -> Value {
    R::SHAPE.show(field::bytes_of(of))
}

/// Adds the members of a record to an object.
fn put_record<R: Record>(json: &mut Value, of: &R) {
    if let Value::Object(members) = record(of) {
        json.put_all(members);
    }
}

/// Returns records as a list of objects.
fn records<R: Record>(of: &[R]) -> Value {
    of.iter().map(record).collect()
}

/// Returns numbers as a list of integers.
pub(super) fn whole(values: impl IntoIterator<Item = i64>) -> Value {
    values.into_iter().map(Value::from).collect()
}

fn indices(of: &Block<U32>) -> Value {
    whole(of.iter().map(|index| i64::from(index.get())))
}

fn links(of: &Block<I32>) -> Value {
    whole(of.iter().map(|index| i64::from(index.get())))
}

/// Returns vectors or colors as a list of lists of floats.
fn rows<const N: usize>(of: &[[field::F32; N]]) -> Value {
    of.iter().map(|row| row.iter().map(|it| Value::from(it.get())).collect::<Value>()).collect()
}

/// Returns the header of a node: its fields in the order of the file, without the data of its class.
pub(super) fn base<G: Layouts>(of: &Base<G>) -> Value {
    let mut json = Value::Object(Vec::new());
    put_record(&mut json, bytemuck::must_cast_ref::<_, G::NodeHeader>(&of.head));
    put_record(&mut json, &of.place);
    // A freed node keeps the corners of its box.
    match of.head.is_used() {
        true => put_record(&mut json, &of.extent),
        false => put_record(&mut json, bytemuck::must_cast_ref::<_, <G::NodeExtent as NodeExtent>::Freed>(&of.extent)),
    }
    put_record(&mut json, &of.boxes);
    put_record(&mut json, &of.end);
    json
}

/// Returns the data of a node of class `object_3d`.
pub(super) fn object<G: Layouts>(of: &Object<G>) -> Value {
    let mut json = record(&of.head);
    put_record(&mut json, &of.translate);
    put_record(&mut json, &of.matrices);
    json
}

/// Adds the data of an object or a level of detail.
pub(super) fn put_class<G: Layouts>(json: &mut Value, of: &Class<G>) {
    match of {
        Class::Object(of) => json.put("object", object(of)),
        Class::Lod(lod) => json.put("lod", record(lod)),
        _ => {}
    }
}

/// Returns the record of a model, without its data.
pub(super) fn model_record<G: Layouts>(of: &Model<G>) -> Value {
    let mut json = Value::Object(Vec::new());
    put_record(&mut json, &of.head);
    put_record(&mut json, &of.body);
    put_record(&mut json, &of.end);
    json
}

/// Returns a model with its vertices, normals, lights and polygons.
pub(super) fn model<G: Layouts>(of: &Model<G>) -> Value {
    let (mut json, mesh) = (model_record(of), &of.mesh);
    json.put("vertices", rows(&mesh.vertices));
    json.put("normals", rows(&mesh.normals));
    json.put("morphs", rows(&mesh.morphs));
    json.put("lights", mesh.lights.iter().map(light).collect());
    json.put("polygons", mesh.polygons.iter().map(polygon).collect());
    if !mesh.material_refs.is_empty() {
        json.put("material_refs", records(&mesh.material_refs));
    }
    json
}

fn light(of: &Light) -> Value {
    let mut json = record(&of.head);
    json.put("vertices", rows(&of.vertices));
    json
}

fn polygon<G: Layouts>(of: &Polygon<G>) -> Value {
    let mut json = record(&of.head);
    json.put("vertices", indices(&of.vertices));
    for (name, list, is_empty) in [
        ("normals", indices(&of.normals), of.normals.is_empty()),
        ("materials", links(&of.materials), of.materials.is_empty()),
        ("uvs", rows(&of.uvs), of.uvs.is_empty()),
        ("colors", rows(&of.colors), of.colors.is_empty()),
    ] {
        if !is_empty {
            json.put(name, list);
        }
    }
    json
}
