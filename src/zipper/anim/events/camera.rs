//! Cameras.

use field::F32;
use field::{flags, record};

use super::super::expect::gates;
use super::{NodeIndex32, delta};

flags! {
    /// The fields of a camera to change. Source: `zipper-anim-events.md`, section 20.
    pub struct CameraFlags(U32: u32) {
        /// The near clipping distance.
        CLIP_NEAR = 0x1;
        /// The far clipping distance.
        CLIP_FAR = 0x2;
        /// The level-of-detail multiplier.
        LOD_MULTIPLIER = 0x4;
        /// The horizontal field of view.
        H_FOV = 0x8;
        /// The vertical field of view.
        V_FOV = 0x10;
        /// The horizontal zoom.
        H_ZOOM = 0x20;
        /// The vertical zoom.
        V_ZOOM = 0x40;
    }
}

record! {
    /// Changes a camera, 36 bytes. Source: `zipper-anim-events.md`, section 20.
    pub struct CameraState: 36 {
        flags: CameraFlags,
        node: NodeIndex32,
        clip_near: F32,
        clip_far: F32,
        lod_multiplier: F32,
        h_fov: F32,
        v_fov: F32,
        h_zoom: F32,
        v_zoom: F32,
    }
}

gates! { CameraState, CameraFlags:
    CLIP_NEAR => clip_near;
    CLIP_FAR => clip_far;
    LOD_MULTIPLIER => lod_multiplier;
    H_FOV => h_fov;
    V_FOV => v_fov;
    H_ZOOM => h_zoom;
    V_ZOOM => v_zoom;
}

record! {
    /// Changes a camera over time, 96 bytes. Source: `zipper-anim-events.md`, section 21.
    pub struct CameraFromTo: 96 {
        flags: CameraFlags,
        node: NodeIndex32,
        clip_near_from: F32,
        clip_near_to: F32,
        clip_near_delta: F32 => |r| delta(r.clip_near_from, r.clip_near_to, r.run_time),
        clip_far_from: F32,
        clip_far_to: F32,
        clip_far_delta: F32 => |r| delta(r.clip_far_from, r.clip_far_to, r.run_time),
        lod_multiplier_from: F32,
        lod_multiplier_to: F32,
        lod_multiplier_delta: F32 => |r| delta(r.lod_multiplier_from, r.lod_multiplier_to, r.run_time),
        h_fov_from: F32,
        h_fov_to: F32,
        h_fov_delta: F32 => |r| delta(r.h_fov_from, r.h_fov_to, r.run_time),
        v_fov_from: F32,
        v_fov_to: F32,
        v_fov_delta: F32 => |r| delta(r.v_fov_from, r.v_fov_to, r.run_time),
        h_zoom_from: F32,
        h_zoom_to: F32,
        h_zoom_delta: F32 => |r| delta(r.h_zoom_from, r.h_zoom_to, r.run_time),
        v_zoom_from: F32,
        v_zoom_to: F32,
        v_zoom_delta: F32 => |r| delta(r.v_zoom_from, r.v_zoom_to, r.run_time),
        /// Seconds.
        run_time: F32,
    }
}

gates! { CameraFromTo, CameraFlags:
    CLIP_NEAR => clip_near_from, clip_near_to;
    CLIP_FAR => clip_far_from, clip_far_to;
    LOD_MULTIPLIER => lod_multiplier_from, lod_multiplier_to;
    H_FOV => h_fov_from, h_fov_to;
    V_FOV => v_fov_from, v_fov_to;
    H_ZOOM => h_zoom_from, h_zoom_to;
    V_ZOOM => v_zoom_from, v_zoom_to;
}
