"""The members of each kind of file. Written by stubs.py from the layout tables; do not edit.

Lists of records are objects, or arrays whose rows have the same attributes. A value of a field with names is one of them, or a number.
"""

from typing import Any, Iterator, Protocol, TypeVar, Union, overload

import numpy

from ._model import Entry, Model, Part

# Text; or an array of bytes, which the exchange format has as text.
Text = Union[str, numpy.ndarray]
_Row = TypeVar("_Row", covariant=True)


class Rows(Protocol[_Row]):
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[_Row]: ...
    @overload
    def __getitem__(self, key: Union[int, str]) -> _Row: ...
    @overload
    def __getitem__(self, key: slice) -> Any: ...


def class_of(kind: str) -> type[Model]: ...


class AmbientSounds(Entry):
    ambient_sounds: Rows[AmbientSoundsAmbientSource]

class AmbientSoundsAmbientSource(Part):
    flags: int
    sound: Union[str, int]
    unused: numpy.ndarray
    volume: int


class Anim(Model):
    bases: Rows[AnimBase]
    definitions: Rows[AnimDefinitions]
    info: AnimInfo
    messages: Rows[AnimMessage]
    script_heads: Rows[AnimScriptHeads]
    scripts: Rows[AnimScripts]
    signature: int
    sources: Rows[AnimSource]
    tail: Text
    time: int
    version: Union[str, int]

class AnimBase(Part):
    path: Union[Text, AnimBasePath]
    time: int

class AnimBasePath(Part):
    ...

class AnimDefinitions(Part):
    activ_prereq_min: int
    activ_prereqs: Rows[AnimDefinitionsActivPrereqs]
    activ_prereqs_ptr: int
    activation: Union[str, int]
    anim_id: int
    anim_name: Union[Text, AnimDefinitionsAnimName]
    anim_ptr: int
    anim_refs: Rows[AnimDefinitionsAnimRefs]
    anim_refs_ptr: int
    anim_root_id: int
    anim_root_name: Union[Text, AnimDefinitionsAnimRootName]
    anim_root_ptr: int
    clock: float
    cur_health: float
    damage_seq_ptr: int
    damage_sequence: AnimDefinitionsDamageSequence
    dynamic_sounds: Rows[AnimLight]
    dynamic_sounds_ptr: int
    effects: Rows[AnimEffect]
    effects_ptr: int
    exec_range_max: float
    exec_range_min: float
    execution_priority: int
    flags: Union[str, int]
    lights: Rows[AnimLight]
    lights_ptr: int
    max_health: float
    name: Union[Text, AnimDefinitionsName]
    next_ptr: int
    node_path: Rows[AnimPathNode]
    node_path_count: int
    node_path_ptr: int
    nodes: Rows[Union[AnimNode40, AnimNode44, AnimNodeById]]
    nodes_ptr: int
    objects: Rows[Union[AnimObject96, AnimObject92, AnimObjectById]]
    objects_ptr: int
    pad: int
    pad_10f: int
    puffers: Rows[AnimPuffer]
    puffers_ptr: int
    reset_sequence: AnimDefinitionsResetSequence
    reset_size: int
    reset_state: AnimSequenceHeader
    reset_state_ptr: int
    reset_time: float
    run_time: numpy.ndarray
    script_ids: numpy.ndarray
    script_ids_ptr: int
    seq_defs_ptr: int
    sequences: Rows[AnimDefinitionsSequences]
    static_sounds: Rows[Union[AnimStaticSound36, AnimStaticSound40]]
    static_sounds_ptr: int
    status: Union[str, int]
    two: int
    unk_10c: int
    unk_b4: int
    velocity: numpy.ndarray

class AnimDefinitionsActivPrereqs(Part):
    kind: Union[str, int]
    name: Union[Text, AnimDefinitionsActivPrereqsName]
    node_ptr: int
    optional: int
    state: Union[str, int]
    target_ptrs: numpy.ndarray
    unk_08: str

class AnimDefinitionsActivPrereqsName(Part):
    ...

class AnimDefinitionsAnimName(Part):
    ...

class AnimDefinitionsAnimRefs(Part):
    anim_ptr: int
    kind: Union[str, int]
    local_name: Union[Text, AnimDefinitionsAnimRefsLocalName]
    name: Union[Text, AnimDefinitionsAnimRefsName]

class AnimDefinitionsAnimRefsLocalName(Part):
    ...

class AnimDefinitionsAnimRefsName(Part):
    ...

class AnimDefinitionsAnimRootName(Part):
    ...

class AnimDefinitionsDamageSequence(Part):
    current_event_ptr: int
    event_clock: float
    events: Rows[AnimDefinitionsDamageSequenceEvents]
    events_ptr: int
    loop_clock: float
    loop_passes: int
    name: Union[Text, AnimDefinitionsDamageSequenceName]
    pad_22: int
    pad_32: int
    reset_state: Union[str, int]
    seq_state: Union[str, int]
    sequence_clock: float
    size: int

class AnimDefinitionsDamageSequenceEvents(Part):
    event_type: Union[str, int]
    pad: int
    payload: AnimDefinitionsDamageSequenceEventsPayload
    size: int
    start_offset: Union[str, int]
    start_time: float

class AnimDefinitionsDamageSequenceEventsPayload(Part):
    run_time: float
    unk_00: str

class AnimDefinitionsDamageSequenceName(Part):
    ...

class AnimLight(Part):
    flags: int
    in_world: int
    name: Union[Text, AnimLightName]
    node_ptr: int

class AnimLightName(Part):
    ...

class AnimEffect(Part):
    index: int
    name: Union[Text, AnimEffectName]

class AnimEffectName(Part):
    ...

class AnimDefinitionsName(Part):
    ...

class AnimPathNode(Part):
    name: Union[Text, AnimPathNodeName]
    node: int

class AnimPathNodeName(Part):
    ...

class AnimNode40(Part):
    name: Union[Text, AnimNode40Name]
    node_ptr: int
    zero: int

class AnimNode40Name(Part):
    ...

class AnimNode44(Part):
    flags: int
    name: Union[Text, AnimNode44Name]
    node: int
    root_idx: int
    zero: int

class AnimNode44Name(Part):
    ...

class AnimNodeById(Part):
    flags: int
    name: Union[Text, AnimNodeByIdName]
    node: int
    root_idx: int
    zero: int

class AnimNodeByIdName(Part):
    ...

class AnimObject96(Part):
    matrix_in_use: int
    name: Union[Text, AnimObject96Name]
    node_active: int
    node_ptr: int
    transform: numpy.ndarray
    zero: int

class AnimObject96Name(Part):
    ...

class AnimObject92(Part):
    flags: int
    name: Union[Text, AnimObject92Name]
    node: int
    root_idx: int
    transform: numpy.ndarray
    zero: int

class AnimObject92Name(Part):
    ...

class AnimObjectById(Part):
    flags: int
    name: Union[Text, AnimObjectByIdName]
    node: int
    root_idx: int
    transform: numpy.ndarray
    zero: int

class AnimObjectByIdName(Part):
    ...

class AnimPuffer(Part):
    flags: int
    in_world: int
    name: Union[Text, AnimPufferName]
    puffer_ptr: int
    unk_20: numpy.ndarray

class AnimPufferName(Part):
    ...

class AnimDefinitionsResetSequence(Part):
    current_event_ptr: int
    event_clock: float
    events: Rows[AnimDefinitionsResetSequenceEvents]
    events_ptr: int
    loop_clock: float
    loop_passes: int
    name: Union[Text, AnimDefinitionsResetSequenceName]
    pad_22: int
    pad_32: int
    reset_state: Union[str, int]
    rest: Text
    seq_state: Union[str, int]
    sequence_clock: float
    size: int

class AnimDefinitionsResetSequenceEvents(Part):
    event_type: Union[str, int]
    pad: int
    payload: Union[AnimDefinitionsResetSequenceEventsPayload, Text]
    size: int
    start_offset: Union[str, int]
    start_time: float
    undecoded: bool

class AnimDefinitionsResetSequenceEventsPayload(Part):
    acceleration: numpy.ndarray
    acceleration_run_time: numpy.ndarray
    active_state: int
    alpha_delta: float
    alpha_from: float
    alpha_to: float
    altitude: numpy.ndarray
    ambient: float
    ambient_color: numpy.ndarray
    anim_ref: int
    animation: Union[Text, AnimDefinitionsResetSequenceEventsPayloadAnimation]
    at_node: Union[Text, str, int]
    bicolored: int
    blue_delta: float
    blue_from: float
    blue_to: float
    bounce_sequence: Union[Text, AnimDefinitionsResetSequenceEventsPayloadBounceSequence]
    bounce_sequence_index: int
    bounce_sequence_lava: Union[Text, AnimDefinitionsResetSequenceEventsPayloadBounceSequenceLava]
    bounce_sequence_lava_index: int
    bounce_sequence_water: Union[Text, AnimDefinitionsResetSequenceEventsPayloadBounceSequenceWater]
    bounce_sequence_water_index: int
    bounce_sound: Union[Text, int]
    bounce_sound_lava: int
    bounce_sound_lava_velocity: float
    bounce_sound_velocity: float
    bounce_sound_water: int
    bounce_sound_water_velocity: float
    child: Union[Text, str, int]
    clip_far: float
    clip_far_delta: float
    clip_far_from: float
    clip_far_to: float
    clip_near: float
    clip_near_delta: float
    clip_near_from: float
    clip_near_to: float
    color: numpy.ndarray
    color_delta: numpy.ndarray
    color_run_time: numpy.ndarray
    colors: Rows[AnimPufferColor]
    colors_used: int
    condition: Union[str, int]
    csin_x_delta: float
    csin_x_from: float
    csin_x_to: float
    csin_y_delta: float
    csin_y_from: float
    csin_y_to: float
    csin_z_delta: float
    csin_z_from: float
    csin_z_to: float
    definition: int
    delta: float
    deviation_distance: float
    diffuse: float
    directional: int
    dynamic_sound: int
    effect: Union[Text, int]
    fade_range: numpy.ndarray
    flags: Union[str, int]
    fog_type: Union[str, int]
    forward_rotation: float
    forward_rotation_delta: float
    forward_rotation_run_time: float
    frame_count: int
    frame_index: int
    frames: Rows[AnimDefinitionsResetSequenceEventsPayloadFrames]
    friction: float
    from_node: Union[Text, str, int]
    from_position: numpy.ndarray
    from_state: int
    from_t_delta: float
    from_t_end: float
    from_t_run_time: float
    from_t_start: float
    gravity: float
    green_delta: float
    green_from: float
    green_to: float
    growth: Rows[AnimPufferGrowth]
    growth_used: int
    h_fov: float
    h_fov_delta: float
    h_fov_from: float
    h_fov_to: float
    h_zoom: float
    h_zoom_delta: float
    h_zoom_from: float
    h_zoom_to: float
    interval_type: Union[str, int]
    interval_value: float
    is_set: int
    is_static: int
    launch_acceleration: numpy.ndarray
    launch_azimuth: numpy.ndarray
    launch_direction: numpy.ndarray
    launch_elevation: numpy.ndarray
    launch_speed: numpy.ndarray
    lifetime: numpy.ndarray
    light: int
    light_type: Union[str, int]
    lightmap: int
    local_velocity: numpy.ndarray
    lod_multiplier: float
    lod_multiplier_delta: float
    lod_multiplier_from: float
    lod_multiplier_to: float
    max_length: float
    max_random_velocity: numpy.ndarray
    message: int
    min_random_velocity: numpy.ndarray
    morph: float
    morph_delta: float
    morph_from: float
    morph_to: float
    name: Union[Text, AnimDefinitionsResetSequenceEventsPayloadName]
    near_fade: numpy.ndarray
    node: Union[Text, str, int]
    number: int
    on: int
    opacity: float
    opacity_given: int
    operand_node: Union[Text, str, int]
    orientation: numpy.ndarray
    pad: int
    parent: Union[Text, str, int]
    passes: int
    position: numpy.ndarray
    priority: float
    puffer: int
    range: numpy.ndarray
    range_delta: numpy.ndarray
    range_run_time: numpy.ndarray
    red_delta: float
    red_from: float
    red_to: float
    relative: int
    reset: int
    rotate_delta: numpy.ndarray
    rotate_from: numpy.ndarray
    rotate_to: numpy.ndarray
    rotation: numpy.ndarray
    run_time: float
    saturated: int
    save_index: Union[Text, int]
    scale: numpy.ndarray
    scale_delta: numpy.ndarray
    scale_from: numpy.ndarray
    scale_run_time: numpy.ndarray
    scale_to: numpy.ndarray
    screen_radius_delta: float
    screen_radius_from: float
    screen_radius_to: float
    screen_x_delta: float
    screen_x_from: float
    screen_x_to: float
    screen_y_delta: float
    screen_y_from: float
    screen_y_to: float
    script: int
    script_position: int
    script_time: float
    scripts: Rows[AnimScriptOfList]
    second: Union[int, float]
    sequence: Union[Text, AnimDefinitionsResetSequenceEventsPayloadSequence]
    sequence_index: int
    size: numpy.ndarray
    slot: int
    start_age: numpy.ndarray
    state: int
    static_sound: Union[Text, int]
    subdivide: int
    textures: Rows[AnimPufferTexture]
    textures_have_times: int
    to: float
    to_node: Union[Text, str, int]
    to_position: numpy.ndarray
    to_state: int
    to_t_delta: float
    to_t_end: float
    to_t_run_time: float
    to_t_start: float
    translate: numpy.ndarray
    translate_delta: numpy.ndarray
    translate_from: numpy.ndarray
    translate_to: numpy.ndarray
    translation: numpy.ndarray
    unk_00: str
    unk_04: int
    unk_08: float
    unk_0c: numpy.ndarray
    v_fov: float
    v_fov_delta: float
    v_fov_from: float
    v_fov_to: float
    v_zoom: float
    v_zoom_delta: float
    v_zoom_from: float
    v_zoom_to: float
    value: Union[float, int]
    velocity: numpy.ndarray
    velocity_run_time: numpy.ndarray
    wait: Union[Text, int]
    weapon: Union[Text, AnimDefinitionsResetSequenceEventsPayloadWeapon]
    wind_factor: float
    world_acceleration: numpy.ndarray
    world_radius_from: float
    world_radius_to: float
    world_velocity: numpy.ndarray
    xyz_rotation: numpy.ndarray
    xyz_rotation_delta: numpy.ndarray
    xyz_rotation_run_time: numpy.ndarray
    zero: int

class AnimDefinitionsResetSequenceEventsPayloadAnimation(Part):
    ...

class AnimDefinitionsResetSequenceEventsPayloadBounceSequence(Part):
    ...

class AnimDefinitionsResetSequenceEventsPayloadBounceSequenceLava(Part):
    ...

class AnimDefinitionsResetSequenceEventsPayloadBounceSequenceWater(Part):
    ...

class AnimPufferColor(Part):
    alpha: float
    color: numpy.ndarray
    time: float

class AnimDefinitionsResetSequenceEventsPayloadFrames(Part):
    end_time: float
    flags: Union[str, int]
    rotate: AnimDefinitionsResetSequenceEventsPayloadFramesRotate
    scale: AnimDefinitionsResetSequenceEventsPayloadFramesScale
    start_time: float
    translate: AnimDefinitionsResetSequenceEventsPayloadFramesTranslate

class AnimDefinitionsResetSequenceEventsPayloadFramesRotate(Part):
    base: numpy.ndarray
    delta: numpy.ndarray
    spline: numpy.ndarray

class AnimDefinitionsResetSequenceEventsPayloadFramesScale(Part):
    base: numpy.ndarray
    delta: numpy.ndarray
    leftover: int
    spline: numpy.ndarray

class AnimDefinitionsResetSequenceEventsPayloadFramesTranslate(Part):
    base: numpy.ndarray
    delta: numpy.ndarray
    leftover: int
    spline: numpy.ndarray

class AnimPufferGrowth(Part):
    age: float
    scale: float

class AnimDefinitionsResetSequenceEventsPayloadName(Part):
    ...

class AnimScriptOfList(Part):
    event_type: int
    pad: int
    script: AnimListedScript
    size: int
    start_offset: int
    start_time: float

class AnimListedScript(Part):
    node: Union[Text, str, int]
    slot: int
    unk_0c: numpy.ndarray
    zero: int

class AnimDefinitionsResetSequenceEventsPayloadSequence(Part):
    ...

class AnimPufferTexture(Part):
    name: Union[Text, AnimPufferTextureName]
    time: float

class AnimPufferTextureName(Part):
    ...

class AnimDefinitionsResetSequenceEventsPayloadWeapon(Part):
    ...

class AnimDefinitionsResetSequenceName(Part):
    ...

class AnimSequenceHeader(Part):
    current_event_ptr: int
    event_clock: float
    events_ptr: int
    loop_clock: float
    loop_passes: int
    name: Union[Text, AnimSequenceHeaderName]
    pad_22: int
    pad_32: int
    reset_state: Union[str, int]
    seq_state: Union[str, int]
    sequence_clock: float

class AnimSequenceHeaderName(Part):
    ...

class AnimDefinitionsSequences(Part):
    current_event_ptr: int
    event_clock: float
    events: Rows[AnimDefinitionsSequencesEvents]
    events_ptr: int
    loop_clock: float
    loop_passes: int
    name: Union[Text, AnimDefinitionsSequencesName]
    pad_22: int
    pad_32: int
    reset_state: Union[str, int]
    rest: Text
    seq_state: Union[str, int]
    sequence_clock: float
    size: int

class AnimDefinitionsSequencesEvents(Part):
    event_type: Union[str, int]
    pad: int
    payload: Union[AnimDefinitionsSequencesEventsPayload, Text]
    size: int
    start_offset: Union[str, int]
    start_time: float
    undecoded: bool

class AnimDefinitionsSequencesEventsPayload(Part):
    acceleration: numpy.ndarray
    acceleration_run_time: numpy.ndarray
    active_state: int
    alpha_delta: float
    alpha_from: float
    alpha_to: float
    altitude: numpy.ndarray
    ambient: float
    ambient_color: numpy.ndarray
    anim_ref: int
    animation: Union[Text, AnimDefinitionsSequencesEventsPayloadAnimation]
    at_node: Union[Text, str, int]
    bicolored: int
    blue_delta: float
    blue_from: float
    blue_to: float
    bounce_sequence: Union[Text, AnimDefinitionsSequencesEventsPayloadBounceSequence]
    bounce_sequence_index: int
    bounce_sequence_lava: Union[Text, AnimDefinitionsSequencesEventsPayloadBounceSequenceLava]
    bounce_sequence_lava_index: int
    bounce_sequence_water: Union[Text, AnimDefinitionsSequencesEventsPayloadBounceSequenceWater]
    bounce_sequence_water_index: int
    bounce_sound: Union[Text, int]
    bounce_sound_lava: int
    bounce_sound_lava_velocity: float
    bounce_sound_velocity: float
    bounce_sound_water: int
    bounce_sound_water_velocity: float
    child: Union[Text, str, int]
    clip_far: float
    clip_far_delta: float
    clip_far_from: float
    clip_far_to: float
    clip_near: float
    clip_near_delta: float
    clip_near_from: float
    clip_near_to: float
    color: numpy.ndarray
    color_delta: numpy.ndarray
    color_run_time: numpy.ndarray
    colors: Rows[AnimPufferColor]
    colors_used: int
    condition: Union[str, int]
    csin_x_delta: float
    csin_x_from: float
    csin_x_to: float
    csin_y_delta: float
    csin_y_from: float
    csin_y_to: float
    csin_z_delta: float
    csin_z_from: float
    csin_z_to: float
    definition: int
    delta: float
    deviation_distance: float
    diffuse: float
    directional: int
    dynamic_sound: int
    effect: Union[Text, int]
    fade_range: numpy.ndarray
    flags: Union[str, int]
    fog_type: Union[str, int]
    forward_rotation: float
    forward_rotation_delta: float
    forward_rotation_run_time: float
    frame_count: int
    frame_index: int
    frames: Rows[AnimDefinitionsSequencesEventsPayloadFrames]
    friction: float
    from_node: Union[Text, str, int]
    from_position: numpy.ndarray
    from_state: int
    from_t_delta: float
    from_t_end: float
    from_t_run_time: float
    from_t_start: float
    gravity: float
    green_delta: float
    green_from: float
    green_to: float
    growth: Rows[AnimPufferGrowth]
    growth_used: int
    h_fov: float
    h_fov_delta: float
    h_fov_from: float
    h_fov_to: float
    h_zoom: float
    h_zoom_delta: float
    h_zoom_from: float
    h_zoom_to: float
    interval_type: Union[str, int]
    interval_value: float
    is_set: int
    is_static: int
    launch_acceleration: numpy.ndarray
    launch_azimuth: numpy.ndarray
    launch_direction: numpy.ndarray
    launch_elevation: numpy.ndarray
    launch_speed: numpy.ndarray
    lifetime: numpy.ndarray
    light: int
    light_type: Union[str, int]
    lightmap: int
    local_velocity: numpy.ndarray
    lod_multiplier: float
    lod_multiplier_delta: float
    lod_multiplier_from: float
    lod_multiplier_to: float
    max_length: float
    max_random_velocity: numpy.ndarray
    message: int
    min_random_velocity: numpy.ndarray
    morph: float
    morph_delta: float
    morph_from: float
    morph_to: float
    name: Union[Text, AnimDefinitionsSequencesEventsPayloadName]
    near_fade: numpy.ndarray
    node: Union[Text, str, int]
    number: int
    on: int
    opacity: float
    opacity_given: int
    operand_node: Union[Text, str, int]
    orientation: numpy.ndarray
    pad: int
    parent: Union[Text, str, int]
    passes: int
    position: numpy.ndarray
    priority: float
    puffer: int
    range: numpy.ndarray
    range_delta: numpy.ndarray
    range_run_time: numpy.ndarray
    red_delta: float
    red_from: float
    red_to: float
    relative: int
    reset: int
    rotate_delta: numpy.ndarray
    rotate_from: numpy.ndarray
    rotate_to: numpy.ndarray
    rotation: numpy.ndarray
    run_time: float
    saturated: int
    save_index: Union[Text, int]
    scale: numpy.ndarray
    scale_delta: numpy.ndarray
    scale_from: numpy.ndarray
    scale_run_time: numpy.ndarray
    scale_to: numpy.ndarray
    screen_radius_delta: float
    screen_radius_from: float
    screen_radius_to: float
    screen_x_delta: float
    screen_x_from: float
    screen_x_to: float
    screen_y_delta: float
    screen_y_from: float
    screen_y_to: float
    script: int
    script_position: int
    script_time: float
    scripts: Rows[AnimScriptOfList]
    second: Union[int, float]
    sequence: Union[Text, AnimDefinitionsSequencesEventsPayloadSequence]
    sequence_index: int
    size: numpy.ndarray
    slot: int
    start_age: numpy.ndarray
    state: int
    static_sound: Union[Text, int]
    subdivide: int
    textures: Rows[AnimPufferTexture]
    textures_have_times: int
    to: float
    to_node: Union[Text, str, int]
    to_position: numpy.ndarray
    to_state: int
    to_t_delta: float
    to_t_end: float
    to_t_run_time: float
    to_t_start: float
    translate: numpy.ndarray
    translate_delta: numpy.ndarray
    translate_from: numpy.ndarray
    translate_to: numpy.ndarray
    translation: numpy.ndarray
    unk_00: str
    unk_04: int
    unk_08: float
    unk_0c: numpy.ndarray
    v_fov: float
    v_fov_delta: float
    v_fov_from: float
    v_fov_to: float
    v_zoom: float
    v_zoom_delta: float
    v_zoom_from: float
    v_zoom_to: float
    value: Union[float, int]
    velocity: numpy.ndarray
    velocity_run_time: numpy.ndarray
    wait: Union[Text, int]
    weapon: Union[Text, AnimDefinitionsSequencesEventsPayloadWeapon]
    wind_factor: float
    world_acceleration: numpy.ndarray
    world_radius_from: float
    world_radius_to: float
    world_velocity: numpy.ndarray
    xyz_rotation: numpy.ndarray
    xyz_rotation_delta: numpy.ndarray
    xyz_rotation_run_time: numpy.ndarray
    zero: int

class AnimDefinitionsSequencesEventsPayloadAnimation(Part):
    ...

class AnimDefinitionsSequencesEventsPayloadBounceSequence(Part):
    ...

class AnimDefinitionsSequencesEventsPayloadBounceSequenceLava(Part):
    ...

class AnimDefinitionsSequencesEventsPayloadBounceSequenceWater(Part):
    ...

class AnimDefinitionsSequencesEventsPayloadFrames(Part):
    end_time: float
    flags: Union[str, int]
    rotate: AnimDefinitionsSequencesEventsPayloadFramesRotate
    scale: AnimDefinitionsSequencesEventsPayloadFramesScale
    start_time: float
    translate: AnimDefinitionsSequencesEventsPayloadFramesTranslate

class AnimDefinitionsSequencesEventsPayloadFramesRotate(Part):
    base: numpy.ndarray
    delta: numpy.ndarray
    spline: numpy.ndarray

class AnimDefinitionsSequencesEventsPayloadFramesScale(Part):
    base: numpy.ndarray
    delta: numpy.ndarray
    leftover: int
    spline: numpy.ndarray

class AnimDefinitionsSequencesEventsPayloadFramesTranslate(Part):
    base: numpy.ndarray
    delta: numpy.ndarray
    leftover: int
    spline: numpy.ndarray

class AnimDefinitionsSequencesEventsPayloadName(Part):
    ...

class AnimDefinitionsSequencesEventsPayloadSequence(Part):
    ...

class AnimDefinitionsSequencesEventsPayloadWeapon(Part):
    ...

class AnimDefinitionsSequencesName(Part):
    ...

class AnimStaticSound36(Part):
    name: Union[Text, AnimStaticSound36Name]
    sample_ptr: int

class AnimStaticSound36Name(Part):
    ...

class AnimStaticSound40(Part):
    name: Union[Text, AnimStaticSound40Name]

class AnimStaticSound40Name(Part):
    ...

class AnimInfo(Part):
    def_count: int
    defs_ptr: int
    frame_time_left: int
    gravity: float
    heap_ptr: int
    instantiated: int
    msg_count: int
    msgs_ptr: int
    packed_counts: int
    player_known: int
    player_position: numpy.ndarray
    script_count: int
    scripts_ptr: int
    unk: int
    unk_34: int
    unk_3c: int
    unk_40: Union[int, numpy.ndarray]
    world_ptr: int

class AnimMessage(Part):
    id: int
    key: Union[Text, AnimMessageKey]

class AnimMessageKey(Part):
    ...

class AnimScriptHeads(Part):
    frame_count: int
    object_name_ptr: int
    pad: int
    script_data_ptr: int
    script_name_ptr: int
    spline_interp: int

class AnimScripts(Part):
    data: Text
    frames: Rows[AnimScriptsFrames]
    object_name: Text
    script_name: Text

class AnimScriptsFrames(Part):
    end_time: float
    flags: Union[str, int]
    rotate: AnimScriptsFramesRotate
    scale: AnimScriptsFramesScale
    start_time: float
    translate: AnimScriptsFramesTranslate

class AnimScriptsFramesRotate(Part):
    base: numpy.ndarray
    delta: numpy.ndarray
    spline: numpy.ndarray

class AnimScriptsFramesScale(Part):
    base: numpy.ndarray
    delta: numpy.ndarray
    leftover: int
    spline: numpy.ndarray

class AnimScriptsFramesTranslate(Part):
    base: numpy.ndarray
    delta: numpy.ndarray
    leftover: int
    spline: numpy.ndarray

class AnimSource(Part):
    path: Union[Text, AnimSourcePath]
    time: int

class AnimSourcePath(Part):
    ...


class Annotations(Entry):
    annotations: Rows[AnnotationsAnnotation]

class AnnotationsAnnotation(Part):
    kind: int
    polygon: int
    text: Union[Text, AnnotationsAnnotationText]
    x: int
    y: int

class AnnotationsAnnotationText(Part):
    ...


class Applesingle(Model):
    directory: Rows[ApplesingleDirectory]
    entry_count: int
    filler: numpy.ndarray
    magic: Union[str, int]
    pieces: Rows[ApplesinglePieces]
    trailing: Text
    version: int

class ApplesingleDirectory(Part):
    id: Union[str, int]
    kind: Text
    length: int
    offset: int

class ApplesinglePieces(Part):
    gap: Text
    item: int


class Archive(Model):
    checksum: int
    content: Text
    count: int
    lengths_are_one: bool
    pieces: Rows[ArchivePieces]
    trailing: Text
    version: int

class ArchiveEntries(Part):
    comment: Union[Text, ArchiveEntriesComment]
    flags: Union[str, int]
    kind: Text
    length: int
    name: Union[Text, ArchiveEntriesName]
    start: int
    time: Union[Text, ArchiveEntriesTime]

class ArchiveEntriesComment(Part):
    ...

class ArchiveEntriesName(Part):
    ...

class ArchiveEntriesTime(Part):
    ...

class ArchivePieces(Part):
    gap: Text
    item: int
    overlap: ArchivePiecesOverlap
    own: Text

class ArchivePiecesOverlap(Part):
    back: int
    item: int
    laid: int
    shared: int


class Arsenals(Entry):
    arsenals: Rows[ArsenalsArsenal]

class ArsenalsArsenal(Part):
    current: int
    desired: int
    shell_casings: Rows[ArsenalsShellCasingState]
    weapons: Rows[ArsenalsSavedWeapon]

class ArsenalsShellCasingState(Part):
    flags: int
    frame: int
    kind: Union[str, int]
    vx: float
    vy: float
    x: float
    y: float

class ArsenalsSavedWeapon(Part):
    flags: int
    kind: int
    triggers: Rows[ArsenalsSavedTrigger]
    unused: str

class ArsenalsSavedTrigger(Part):
    hits: int
    phase: int
    rounds: int
    sequence: int
    shots: int
    state: int
    ticks_firing: int
    ticks_since_shot: int


class Avi(Model):
    ...


class Bm(Model):
    base: Text
    height: int
    mask_1: Text
    mask_2: Text
    mask_3: Text
    overlay: Text
    width: int


class Collection(Entry):
    bitmap_count: int
    bitmap_table: int
    bitmaps: Rows[CollectionBitmaps]
    collection_type: Union[str, int]
    color_table_count: int
    color_tables: int
    colors: Rows[CollectionColor]
    colors_per_table: int
    flags: int
    frame_count: int
    frame_table: int
    frames: Rows[CollectionFrames]
    has_size: bool
    pieces: Rows[CollectionPieces]
    pixels_to_world: int
    sequence_count: int
    sequence_table: int
    sequences: Rows[CollectionSequences]
    size: int
    total_size: int
    unused: numpy.ndarray
    version: int

class CollectionBitmaps(Part):
    bit_depth: int
    bytes_per_row: int
    flags: Union[str, int]
    height: int
    offset: int
    palette_crc32: Text
    picture: Text
    pixels: Text
    row_addresses: numpy.ndarray
    stored: Rows[CollectionBitmapsStored]
    trailing: Text
    unused: numpy.ndarray
    width: int

class CollectionBitmapsStored(Part):
    pixels: numpy.ndarray
    row: int

class CollectionColor(Part):
    blue: int
    flags: Union[str, int]
    green: int
    red: int
    value: int

class CollectionFrames(Part):
    bitmap: int
    flags: Union[str, int]
    key_point: numpy.ndarray
    minimum_light: float
    offset: int
    origin: numpy.ndarray
    unused: numpy.ndarray
    world_bottom: int
    world_key_point: numpy.ndarray
    world_left: int
    world_right: int
    world_top: int

class CollectionPieces(Part):
    gap: Text
    item: int
    overlap: CollectionPiecesOverlap
    own: Text

class CollectionPiecesOverlap(Part):
    back: int
    item: int
    laid: int
    shared: int

class CollectionSequences(Part):
    first_frame_sound: Union[int, str]
    flags: int
    frames: numpy.ndarray
    frames_per_view: int
    key_frame: int
    key_frame_sound: Union[int, str]
    lacks_spare: bool
    last_frame_sound: Union[int, str]
    loop_frame: int
    name: Union[Text, CollectionSequencesName]
    offset: int
    pixels_to_world: int
    sequence_type: int
    spare_frame: int
    ticks_per_frame: int
    transfer_mode: Union[str, int]
    transfer_mode_period: int
    unused: numpy.ndarray
    view_type: Union[str, int]

class CollectionSequencesName(Part):
    ...


class ColorTable(Entry):
    colors: Rows[ColorTableColor]
    flags: Union[str, int]
    last_color: int
    seed: int
    trailing: Text

class ColorTableColor(Part):
    blue: int
    green: int
    red: int
    value: int


class Colors(Entry):
    colors: Rows[ColorsRgb]
    last_color: int
    unk_02: numpy.ndarray

class ColorsRgb(Part):
    blue: int
    green: int
    red: int


class Computers(Entry):
    computers: Rows[ComputersComputer]

class ComputersComputer(Part):
    completion: int
    flags: int
    group: int
    last_action_flags: int
    line: int
    maximum_line: int
    phase: int
    state: int
    terminal: int


class Directory(Entry):
    after_names: Text
    entry_count: int
    names: Rows[DirectoryNames]
    names_length: int
    records: Rows[DirectoryRecords]

class DirectoryNames(Part):
    name: Text

class DirectoryRecords(Part):
    decoded_size: int
    flags: Union[str, int]
    item: int
    name_length: int
    name_offset: int
    start: int
    stored_size: int


class EarlyInformation(Entry):
    entry_point_flags: Union[str, int]
    environment: int
    environment_flags: Union[str, int]
    landscape: int
    level_name: Union[Text, EarlyInformationLevelName]
    mission_flags: Union[str, int]
    physics_model: int
    unused: str

class EarlyInformationLevelName(Part):
    ...


class EarlyLights(Entry):
    early_lights: Rows[EarlyLightsEarlyLight]

class EarlyLightsEarlyLight(Part):
    flags: int
    intensity: float
    kind: Union[str, int]
    maximum_intensity: float
    minimum_intensity: float
    mode: Union[str, int]
    period: int
    phase: int
    unused: str


class EarlyObjects(Entry):
    objects: Rows[EarlyObjectsEarlyObject]

class EarlyObjectsEarlyObject(Part):
    facing: int
    flags: Union[str, int]
    group: Union[str, int]
    index: int
    polygon: int
    x: int
    y: int
    z: int


class EarlyPolygons(Entry):
    early_polygons: Rows[EarlyPolygonsEarlyPolygon]

class EarlyPolygonsEarlyPolygon(Part):
    adjacent_polygons: numpy.ndarray
    ambient_sound: int
    area: int
    ceiling_height: int
    ceiling_light: int
    ceiling_origin: numpy.ndarray
    ceiling_texture: Union[Text, int]
    ceiling_transfer_mode: Union[str, int]
    center: numpy.ndarray
    endpoints: numpy.ndarray
    first_exclusion_zone: int
    first_neighbor: int
    first_object: int
    first_sound_source: int
    flags: Union[str, int]
    floor_height: int
    floor_light: int
    floor_origin: numpy.ndarray
    floor_texture: Union[Text, int]
    floor_transfer_mode: Union[str, int]
    kind: Union[str, int]
    line_exclusion_count: int
    lines: numpy.ndarray
    media: int
    media_light: int
    neighbor_count: int
    permutation: int
    point_exclusion_count: int
    random_sound: int
    sides: numpy.ndarray
    unused: int
    vertex_count: int


class EarlySides(Entry):
    early_sides: Rows[EarlySidesEarlySide]

class EarlySidesEarlySide(Part):
    ambient_delta: float
    control_panel: int
    exclusion_zone: numpy.ndarray
    flags: Union[str, int]
    kind: Union[str, int]
    line: int
    permutation: int
    polygon: int
    primary: EarlySidesEarlyTexture
    primary_light: int
    primary_transfer_mode: Union[str, int]
    secondary: EarlySidesEarlyTexture
    secondary_light: int
    secondary_transfer_mode: Union[str, int]
    transparent: EarlySidesEarlyTexture
    transparent_light: int
    transparent_transfer_mode: Union[str, int]
    unused: int

class EarlySidesEarlyTexture(Part):
    shape: Union[Text, int]
    x: int
    y: int


class Effects(Entry):
    effects: Rows[EffectsEffect]

class EffectsEffect(Part):
    collection: Union[Text, int]
    delay: int
    delay_sound: Union[str, int]
    flags: Union[str, int]
    shape: int
    sound_pitch: float


class Endpoints(Entry):
    endpoints: Rows[EndpointsEndpoint]

class EndpointsEndpoint(Part):
    flags: Union[str, int]
    highest_adjacent_floor: int
    lowest_adjacent_ceiling: int
    supporting_polygon: int
    transformed: numpy.ndarray
    x: int
    y: int


class Entry(Entry):
    chunks: Rows[EntryChunks]

class EntryChunks(Part):
    gap: Text
    kind: Text
    length: int
    next: int
    patch_offset: int
    tag: Union[Text, EntryChunksTag]

class EntryChunksTag(Part):
    ...


class Film(Model):
    extension: FilmExtension
    game: FilmGameInformation
    length: int
    level: int
    map_checksum: int
    player_count: int
    players: Rows[FilmPlayerStart]
    runs: Rows[FilmActionRun]
    saved_game: FilmSavedGame
    trailing: Text
    version: Union[str, int]

class FilmExtension(Part):
    length: int
    purpose: Union[str, int]

class FilmGameInformation(Part):
    difficulty: Union[str, int]
    kill_limit: int
    kind: Union[str, int]
    options: Union[str, int]
    parameters: numpy.ndarray
    random_seed: int
    time_remaining: int

class FilmPlayerStart(Part):
    color: int
    identifier: Union[Text, int]
    name: Union[Text, FilmPlayerStartName]
    team: int

class FilmPlayerStartName(Part):
    ...

class FilmActionRun(Part):
    count: int
    flags: Union[Text, int]

class FilmSavedGame(Part):
    kind: Text


class FinderInformation(Entry):
    creator: Union[Text, FinderInformationCreator]
    extended: str
    file_type: Union[Text, FinderInformationFileType]
    flags: int
    folder: int
    icon: numpy.ndarray

class FinderInformationCreator(Part):
    ...

class FinderInformationFileType(Part):
    ...


class FlatWad(Entry):
    chunks: Rows[FlatWadChunks]
    head: FlatWadHead
    length: int
    magic: int

class FlatWadChunks(Part):
    gap: Text
    kind: Text
    length: int
    next: int
    patch_offset: int
    tag: Union[Text, FlatWadChunksTag]

class FlatWadChunksTag(Part):
    ...

class FlatWadHead(Part):
    application_data_size: int
    checksum: int
    chunk_header_size: int
    data_version: Union[str, int]
    directory_offset: int
    entry_count: int
    name: Union[Text, FlatWadHeadName]
    parent_checksum: int
    slot_size: int
    unused: str
    version: Union[str, int]

class FlatWadHeadName(Part):
    ...


class Gamez(Model):
    magic: int
    materials: GamezMaterials
    materials_offset: int
    models: GamezModels
    models_offset: int
    node_array_size: int
    node_free_head: int
    nodes: GamezNodes
    nodes_offset: int
    texture_count: int
    textures: Rows[GamezTextures]
    textures_offset: int
    timestamp: int
    trailing: Text
    version: int

class GamezMaterials(Part):
    array_size: int
    array_size_is_used: bool
    cycles: Rows[GamezMaterialsCycles]
    free: Rows[GamezMaterialsFree]
    free_head: int
    slots: Rows[GamezMaterialsSlots]
    used: int
    used_head: int

class GamezMaterialsCycles(Part):
    capacity: int
    current_index: float
    frame_count: int
    frames: numpy.ndarray
    frames_ptr: int
    looping: int
    speed: float
    tick: int

class GamezMaterialsFree(Part):
    alpha: int
    flags: Union[str, int]
    next: int
    prev: int
    unused: numpy.ndarray

class GamezMaterialsSlots(Part):
    alpha: int
    color: numpy.ndarray
    cycle_ptr: int
    flags: Union[str, int]
    next: int
    prev: int
    rgb: int
    soil: Union[str, int]
    texture_index: Union[Text, int]
    unk_14: float
    unk_18: float
    unk_1c: float

class GamezModels(Part):
    array_size: int
    free: Rows[Union[GamezFreeModelRc, GamezFreeModelMw, GamezFreeModelPm]]
    free_head: int
    slots: Rows[GamezModelsSlots]
    used: int

class GamezFreeModelRc(Part):
    next_free: int
    unused: numpy.ndarray

class GamezFreeModelMw(Part):
    next_free: int
    unused: numpy.ndarray

class GamezFreeModelPm(Part):
    next_free: int
    unused: numpy.ndarray

class GamezModelsSlots(Part):
    active_polygon_index: int
    bbox_diag: float
    bbox_mid: numpy.ndarray
    data_offset: int
    facade_mode: Union[str, int]
    flags: Union[str, int]
    light_count: int
    lights: Rows[GamezModelsSlotsLights]
    lights_ptr: int
    material_ref_count: int
    material_refs: Rows[GamezModelsSlotsMaterialRefs]
    material_refs_ptr: int
    model_type: Union[str, int]
    morph_count: int
    morph_factor: float
    morphs: numpy.ndarray
    morphs_ptr: int
    next_free: int
    normal_count: int
    normals: numpy.ndarray
    normals_ptr: int
    parent_count: int
    polygon_count: int
    polygons: Rows[GamezModelsSlotsPolygons]
    polygons_ptr: int
    tex_scroll_frame: int
    tex_scroll_u: float
    tex_scroll_v: float
    vertex_count: int
    vertices: numpy.ndarray
    vertices_ptr: int

class GamezModelsSlotsLights(Part):
    behavior: int
    color: numpy.ndarray
    depth_bias: int
    depth_fade_end: float
    depth_fade_factor: float
    depth_fade_start: float
    elapsed: int
    flags: int
    flare_fade_far: float
    flare_fade_near: float
    lens_flare: int
    mode: int
    rgb: int
    state: int
    timer: float
    unk_40: float
    vertex_count: int
    vertices: numpy.ndarray
    vertices_ptr: int

class GamezModelsSlotsMaterialRefs(Part):
    material_index: int
    polygon_ptr: int
    usages: int

class GamezModelsSlotsPolygons(Part):
    colors: numpy.ndarray
    flags: Union[str, int]
    material_count: int
    material_index: int
    materials: numpy.ndarray
    materials_ptr: int
    matl_refs_ptr: int
    normal_indices_ptr: int
    normals: numpy.ndarray
    priority: int
    uvs: numpy.ndarray
    uvs_ptr: int
    vertex_colors_ptr: int
    vertex_indices_ptr: int
    vertices: numpy.ndarray
    zone_set: GamezZones

class GamezZones(Part):
    length: int
    zones: numpy.ndarray

class GamezNodes(Part):
    data_offsets: bool
    free: Rows[Union[GamezFreeNodeRc, GamezFreeNodeMw]]
    slots: Rows[GamezNodesSlots]

class GamezFreeNodeRc(Part):
    model_index: int
    next_free: int
    unused: numpy.ndarray
    unused_too: numpy.ndarray

class GamezFreeNodeMw(Part):
    model_index: int
    next_free: int
    unused: numpy.ndarray
    unused_too: numpy.ndarray

class GamezNodesSlots(Part):
    action_callback: int
    action_priority: int
    activation_ptr: int
    active_bbox: Union[str, int]
    area_partition_x: int
    area_partition_z: int
    bbox_diag: float
    bbox_mid: numpy.ndarray
    camera: GamezNodesSlotsCamera
    child_array_ptr: int
    child_array_size: int
    child_bbox: numpy.ndarray
    children: numpy.ndarray
    data_offset: int
    data_ptr: int
    display: GamezNodesSlotsDisplay
    environment_data: int
    flags: Union[str, int]
    light: GamezNodesSlotsLight
    link: int
    lod: GamezNodesSlotsLod
    model_bbox: numpy.ndarray
    model_index: int
    name: Union[Text, GamezNodesSlotsName]
    next_free: int
    node_bbox: numpy.ndarray
    object: GamezNodesSlotsObject
    parent_array_ptr: int
    parent_array_size: int
    parents: numpy.ndarray
    sound: GamezNodesSlotsSound
    unk_28: int
    unk_c0: int
    unk_c4: int
    unk_c8: int
    unk_cc: int
    update_flags: Union[str, int]
    virtual_partition_x: int
    virtual_partition_z: int
    window: GamezNodesSlotsWindow
    world: GamezNodesSlotsWorld
    zone_id: int

class GamezNodesSlotsCamera(Part):
    ancestor_matrix: numpy.ndarray
    clip_far: float
    clip_near: float
    clip_points: numpy.ndarray
    clip_recalc: int
    flags: int
    focus_node_xy: int
    focus_node_xz: int
    fov_base: numpy.ndarray
    fov_cot: numpy.ndarray
    fov_half: numpy.ndarray
    fov_recalc: int
    fov_scale: numpy.ndarray
    fov_scaled: numpy.ndarray
    lod_mul_inv_sq: float
    lod_multiplier: float
    rotate: numpy.ndarray
    rotate_recalc: int
    translate: numpy.ndarray
    translate_matrix: numpy.ndarray
    unk_13c: numpy.ndarray
    unk_188: numpy.ndarray
    unk_1d0: int
    unk_1dc: int
    unk_fc: numpy.ndarray
    view_vector: numpy.ndarray
    window_index: int
    world_index: int
    world_rotate: numpy.ndarray
    world_translate: numpy.ndarray
    zone_set: int
    zone_set_valid: int

class GamezNodesSlotsDisplay(Part):
    clear_color: numpy.ndarray
    origin_x: int
    origin_y: int
    resolution_x: int
    resolution_y: int

class GamezNodesSlotsLight(Part):
    ambient: float
    ambient_mixed: numpy.ndarray
    attached: numpy.ndarray
    attached_count: int
    attached_ptr: int
    camera_view_vector: numpy.ndarray
    color: numpy.ndarray
    color_ambient: numpy.ndarray
    combined: numpy.ndarray
    diffuse: float
    diffuse_mixed: numpy.ndarray
    directed_source: int
    directional: int
    flags: Union[str, int]
    orientation: numpy.ndarray
    point_source: int
    range_far: float
    range_far_sq: float
    range_inv: float
    range_near: float
    range_near_sq: float
    recalc: int
    saturated: int
    transform: numpy.ndarray
    translate: numpy.ndarray
    unk_04: int
    unk_c8: int
    vectors: numpy.ndarray
    world: numpy.ndarray
    world_view_vector: numpy.ndarray

class GamezNodesSlotsLod(Part):
    active: int
    fade: numpy.ndarray
    far_fade: float
    far_fade_sq: float
    level: int
    range_fade: int
    range_far: float
    range_far_sq: float
    range_near_sq: float
    unk_48: float
    unk_48_sq: float
    unk_4c: int
    unk_54: int
    unk_58: int

class GamezNodesSlotsName(Part):
    ...

class GamezNodesSlotsObject(Part):
    color: numpy.ndarray
    color_alpha: float
    flags: Union[str, int]
    opacity: float
    rotate: numpy.ndarray
    scale: numpy.ndarray
    transform: numpy.ndarray
    world_matrix: numpy.ndarray

class GamezNodesSlotsSound(Part):
    attached: numpy.ndarray
    attached_count: int
    attached_ptr: int
    falloff_mode: int
    flags: int
    handle: int
    name: Union[Text, GamezNodesSlotsSoundName]
    position: numpy.ndarray
    range_far: float
    range_far_sq: float
    range_inv: float
    range_near: float
    sample_ptr: int
    unk_48: str
    world_position: numpy.ndarray

class GamezNodesSlotsSoundName(Part):
    ...

class GamezNodesSlotsWindow(Part):
    buffer_index: int
    buffer_ptr: int
    clear_polygon_count: int
    clear_polygons: numpy.ndarray
    depth: int
    height: int
    origin_x: int
    origin_y: int
    resolution_x: int
    resolution_y: int
    width: int

class GamezNodesSlotsWorld(Part):
    area_bottom: float
    area_height: float
    area_left: float
    area_right: float
    area_top: float
    area_width: float
    border_bottom: float
    border_left: float
    border_right: float
    border_top: float
    cell_half: numpy.ndarray
    cell_inverse: numpy.ndarray
    cell_size: numpy.ndarray
    cells: Rows[GamezNodesSlotsWorldCells]
    flags: Union[str, int]
    fog_altitude: numpy.ndarray
    fog_color: numpy.ndarray
    fog_density: float
    fog_range: numpy.ndarray
    fog_type: Union[str, int]
    grid_ptr: int
    inclusion_tolerance: numpy.ndarray
    light_count: int
    lights: numpy.ndarray
    lights_ptr: numpy.ndarray
    max_dec_features: int
    pending_update_capacity: int
    pending_update_count: int
    pending_update_ptr: int
    radius_bias: float
    scale: numpy.ndarray
    sound_count: int
    sounds: numpy.ndarray
    sounds_ptr: numpy.ndarray
    unk_last: int
    virtual_partition: int
    x_count: int
    x_max: int
    x_min: int
    z_count: int
    z_max: int
    z_min: int

class GamezNodesSlotsWorldCells(Part):
    diagonal: float
    flags: int
    index: int
    max_x: float
    max_y: float
    max_z: float
    mid_x: float
    mid_y: float
    mid_z: float
    min_x: float
    min_y: float
    min_z: float
    node_count: int
    nodes: Rows[Union[int, GamezCellNode]]
    nodes_ptr: int
    unk_38: int
    unk_40: numpy.ndarray
    x: float
    z: float

class GamezCellNode(Part):
    max_y: float
    min_y: float
    node: int

class GamezTextures(Part):
    category: int
    image_ptr: int
    mip_index: int
    name: Union[Text, GamezTexturesName]
    state: Union[str, int]
    surface_ptr: int
    unk_04: int

class GamezTexturesName(Part):
    ...


class Image(Entry):
    addressing: Union[str, int]
    alpha_picture: Text
    flags: Union[str, int]
    height: int
    palette: numpy.ndarray
    palette_count: int
    palette_crc32: Text
    picture: Text
    pixels: Text
    width: int
    zero08: int


class Indices(Entry):
    indices: numpy.ndarray
    rest: Text


class Information(Entry):
    entry_point_flags: Union[str, int]
    environment: Union[str, int]
    environment_flags: Union[str, int]
    landscape: Union[float, Text]
    level_name: Union[Text, InformationLevelName]
    mission_flags: Union[str, int]
    physics_model: int
    unused: str

class InformationLevelName(Part):
    ...


class Interp(Model):
    count: int
    index: Rows[InterpIndex]
    pieces: Rows[InterpPieces]
    signature: int
    trailing: Text
    version: int

class InterpIndex(Part):
    kind: Text
    offset: int
    path: Union[Text, InterpIndexPath]
    time: int

class InterpIndexPath(Part):
    ...

class InterpPieces(Part):
    gap: Text
    item: int
    overlap: InterpPiecesOverlap
    own: Text

class InterpPiecesOverlap(Part):
    back: int
    item: int
    laid: int
    shared: int


class Keys(Entry):
    keys: Rows[KeysKeys]
    lead: Text
    pairs: Rows[KeysPair]
    tail: Text

class KeysKeys(Part):
    id: int
    nul: int
    padding: numpy.ndarray
    text: Text

class KeysPair(Part):
    address: int
    id: int


class Lights(Entry):
    lights: Rows[LightsLight]

class LightsLight(Part):
    becoming_active: LightsPulse
    becoming_inactive: LightsPulse
    flags: Union[str, int]
    kind: Union[str, int]
    phase: int
    primary_active: LightsPulse
    primary_inactive: LightsPulse
    secondary_active: LightsPulse
    secondary_inactive: LightsPulse
    tag: int
    unused: numpy.ndarray

class LightsPulse(Part):
    delta_intensity: float
    delta_period: int
    function: Union[str, int]
    intensity: float
    period: int


class Lines(Entry):
    lines: Rows[LinesLine]
    rest: Text

class LinesLine(Part):
    clockwise_polygon: int
    clockwise_side: int
    counterclockwise_polygon: int
    counterclockwise_side: int
    endpoints: numpy.ndarray
    flags: Union[str, int]
    highest_adjacent_floor: int
    length: int
    lowest_adjacent_ceiling: int
    unused: str


class Liquids(Entry):
    liquids: Rows[LiquidsLiquid]

class LiquidsLiquid(Part):
    current_direction: int
    current_magnitude: int
    flags: Union[str, int]
    height: int
    high: int
    kind: Union[str, int]
    light: int
    low: int
    minimum_light_intensity: float
    origin: numpy.ndarray
    texture: Union[Text, int]
    transfer_mode: Union[str, int]
    unused: numpy.ndarray


class Macbinary(Model):
    comment: Text
    comment_is_padded: bool
    comment_length: int
    comment_padding: numpy.ndarray
    crc: int
    created: int
    creator: Union[Text, MacbinaryCreator]
    data: MacbinaryData
    data_length: int
    data_padding: numpy.ndarray
    file_type: Union[Text, MacbinaryFileType]
    finder_flags_high: int
    finder_flags_low: int
    folder: int
    icon: numpy.ndarray
    modified: int
    name: Union[Text, MacbinaryName]
    old_version: int
    protected: int
    reserved: int
    resource: MacbinaryResource
    resource_length: int
    resource_padding: numpy.ndarray
    second_header: Text
    second_header_length: int
    trailing: Text
    unpacked_length: int
    unused: numpy.ndarray
    version: int
    version_needed: int
    zero74: int
    zero82: int

class MacbinaryCreator(Part):
    ...

class MacbinaryData(Part):
    kind: Text

class MacbinaryFileType(Part):
    ...

class MacbinaryName(Part):
    ...

class MacbinaryResource(Part):
    kind: Text


class Mdl(Model):
    animation_scale: float
    animations: Rows[MdlAnimations]
    animations_allocated: int
    animations_at: int
    animations_used: int
    at_cursor: Text
    box_max: numpy.ndarray
    box_min: numpy.ndarray
    child_models: int
    classification: Union[str, int]
    fog: int
    functions: numpy.ndarray
    inherited: int
    model_size: int
    name: Union[Text, MdlName]
    nodes: int
    order: Rows[MdlOrder]
    radius: float
    raw: Rows[MdlRaw]
    raw_size: int
    references: int
    root: Any
    root_at: int
    super_model: Union[Text, MdlSuperModel]
    super_model_address: int
    trailing: Text
    unk_50: numpy.ndarray
    unk_5c: numpy.ndarray
    unk_6d: str
    unk_70: int
    unk_71: int
    zero: int

class MdlAnimations(Part):
    animation_root: Union[Text, MdlAnimationsAnimationRoot]
    events: Rows[MdlEvent]
    events_allocated: int
    events_at: int
    events_used: int
    functions: numpy.ndarray
    inherited: int
    kind: Union[str, int]
    length: float
    name: Union[Text, MdlAnimationsName]
    nodes: int
    references: int
    root: Any
    root_at: int
    transition: float
    unk_50: numpy.ndarray
    unk_5c: numpy.ndarray
    unk_6d: str

class MdlAnimationsAnimationRoot(Part):
    ...

class MdlEvent(Part):
    name: Union[Text, MdlEventName]
    time: float

class MdlEventName(Part):
    ...

class MdlAnimationsName(Part):
    ...

class MdlName(Part):
    ...

class MdlOrder(Part):
    aabb: MdlOrderAabb
    animation_root: Union[Text, MdlOrderAnimationRoot]
    animation_scale: float
    animations_allocated: int
    animations_at: int
    animations_used: int
    bones: numpy.ndarray
    box_max: numpy.ndarray
    box_min: numpy.ndarray
    child_models: int
    child_nodes: int
    children_allocated: int
    children_at: int
    children_used: int
    classification: Union[str, int]
    colors: numpy.ndarray
    constants: numpy.ndarray
    constraints: numpy.ndarray
    coordinates: numpy.ndarray
    dangly: MdlOrderDangly
    data: numpy.ndarray
    data_allocated: int
    data_at: int
    data_used: int
    events: Rows[MdlEvent]
    events_allocated: int
    events_at: int
    events_used: int
    face: int
    faces: Rows[MdlFace]
    flags: Union[str, int]
    flare_positions: numpy.ndarray
    flare_shifts: numpy.ndarray
    flare_sizes: numpy.ndarray
    fog: int
    functions: numpy.ndarray
    gap: Text
    geometry: int
    index_lists: int
    inherit_color: int
    keys: Rows[Union[MdlKey, MdlMeshKey, MdlLightKey]]
    keys_allocated: int
    keys_at: int
    keys_used: int
    kind: Union[str, int]
    left_at: int
    length: float
    light: MdlOrderLight
    live: bool
    map: numpy.ndarray
    max: numpy.ndarray
    mesh: MdlOrderMesh
    min: numpy.ndarray
    name: Union[Text, MdlOrderName]
    nodes: int
    normals: numpy.ndarray
    of: MdlOrderOf
    parent: int
    part_number: int
    parts: Text
    plane: int
    radius: float
    references: int
    right_at: int
    root_at: int
    rotations: numpy.ndarray
    shared: bool
    skin: MdlOrderSkin
    slots: numpy.ndarray
    stray: Text
    super_model: Union[Text, MdlOrderSuperModel]
    super_model_address: int
    transition: float
    translations: numpy.ndarray
    unk_50: numpy.ndarray
    unk_5c: numpy.ndarray
    unk_6d: str
    unk_70: int
    unk_71: int
    vertices: Rows[Union[int, numpy.ndarray]]
    weights: numpy.ndarray

class MdlOrderAabb(Part):
    root_at: int

class MdlOrderAnimationRoot(Part):
    ...

class MdlOrderDangly(Part):
    constraints_allocated: int
    constraints_at: int
    constraints_used: int
    displacement: float
    period: float
    tightness: float

class MdlFace(Part):
    adjacent: numpy.ndarray
    distance: float
    normal: numpy.ndarray
    surface: int
    vertices: numpy.ndarray

class MdlKey(Part):
    columns: int
    data_index: int
    kind: Union[str, int]
    rows: int
    time_index: int
    unk_0b: str

class MdlMeshKey(Part):
    columns: int
    data_index: int
    kind: Union[str, int]
    rows: int
    time_index: int
    unk_0b: str

class MdlLightKey(Part):
    columns: int
    data_index: int
    kind: Union[str, int]
    rows: int
    time_index: int
    unk_0b: str

class MdlOrderLight(Part):
    affect_dynamic: int
    ambient_only: int
    dynamic_type: int
    fading: int
    flare_positions_allocated: int
    flare_positions_at: int
    flare_positions_used: int
    flare_radius: float
    flare_shifts_allocated: int
    flare_shifts_at: int
    flare_shifts_used: int
    flare_sizes_allocated: int
    flare_sizes_at: int
    flare_sizes_used: int
    flares_allocated: int
    flares_at: int
    flares_used: int
    generate_flare: int
    priority: int
    shadow: int
    unk_74: numpy.ndarray

class MdlOrderMesh(Part):
    ambient: numpy.ndarray
    area: float
    average: numpy.ndarray
    beaming: int
    box_max: numpy.ndarray
    box_min: numpy.ndarray
    colors_at: int
    coordinates_at: numpy.ndarray
    diffuse: numpy.ndarray
    faces_allocated: int
    faces_at: int
    faces_used: int
    functions: numpy.ndarray
    light_mapped: int
    list_counts_allocated: int
    list_counts_at: int
    list_counts_used: int
    lists_allocated: int
    lists_at: int
    lists_used: int
    normals_at: int
    radius: float
    render: int
    rotate_texture: int
    shadow: int
    shininess: float
    specular: numpy.ndarray
    streams_at: numpy.ndarray
    texture_count: int
    textures: Rows[Union[Text, MdlOrderMeshTextures]]
    tile_fade: int
    transparency_hint: int
    triangle_mode: Union[str, int]
    unk_17c: numpy.ndarray
    unk_188: numpy.ndarray
    unk_1ac: int
    unk_1b0: int
    unk_1b5: str
    unk_1b8: int
    unk_1f6: str
    unk_1fc: int
    unk_74: int
    vertices_at: int
    vertices_used: int

class MdlOrderMeshTextures(Part):
    ...

class MdlOrderName(Part):
    ...

class MdlOrderOf(Part):
    item: int
    node: int
    part: Text
    tree: int

class MdlOrderSkin(Part):
    constants_allocated: int
    constants_at: int
    constants_used: int
    map_at: int
    map_used: int
    rotations_allocated: int
    rotations_at: int
    rotations_used: int
    slots_at: int
    translations_allocated: int
    translations_at: int
    translations_used: int
    unk_00: numpy.ndarray
    weights_at: int

class MdlOrderSuperModel(Part):
    ...

class MdlRaw(Part):
    colors: numpy.ndarray
    coordinates: numpy.ndarray
    coordinates_1: numpy.ndarray
    coordinates_2: numpy.ndarray
    coordinates_3: numpy.ndarray
    lists: Rows[MdlRawLists]
    node: Text
    normals: numpy.ndarray
    slots: numpy.ndarray
    stream_3: Text
    stream_5: Text
    vertices: numpy.ndarray
    weights: numpy.ndarray

class MdlRawLists(Part):
    stray: int
    vertices: numpy.ndarray

class MdlSuperModel(Part):
    ...


class Mech27(Entry):
    nodes: Rows[Mech27Nodes]

class Mech27Nodes(Part):
    action_callback: int
    action_priority: int
    activation_ptr: int
    area_partition_x: int
    area_partition_z: int
    bbox_diag: float
    bbox_mid: numpy.ndarray
    child_array_ptr: int
    child_array_size: int
    child_bbox: numpy.ndarray
    children: int
    data_ptr: int
    environment_data: int
    flags: Union[str, int]
    model: Mech27NodesModel
    model_bbox: numpy.ndarray
    model_index: int
    name: Union[Text, Mech27NodesName]
    node_bbox: numpy.ndarray
    object: Mech27NodesObject
    parent_array_ptr: int
    parent_array_size: int
    unk_28: int
    unk_c0: int
    unk_c4: int
    unk_c8: int
    unk_cc: int
    update_flags: Union[str, int]
    zone_id: int

class Mech27NodesModel(Part):
    active_polygon_index: int
    bbox_diag: float
    bbox_mid: numpy.ndarray
    facade_mode: Union[str, int]
    flags: Union[str, int]
    light_count: int
    lights: Rows[Mech27NodesModelLights]
    lights_ptr: int
    model_type: Union[str, int]
    morph_count: int
    morph_factor: float
    morphs: numpy.ndarray
    morphs_ptr: int
    normal_count: int
    normals: numpy.ndarray
    normals_ptr: int
    parent_count: int
    polygon_count: int
    polygons: Rows[Mech27NodesModelPolygons]
    polygons_ptr: int
    tex_scroll_frame: int
    tex_scroll_u: float
    tex_scroll_v: float
    vertex_count: int
    vertices: numpy.ndarray
    vertices_ptr: int

class Mech27NodesModelLights(Part):
    behavior: int
    color: numpy.ndarray
    depth_bias: int
    depth_fade_end: float
    depth_fade_factor: float
    depth_fade_start: float
    elapsed: int
    flags: int
    flare_fade_far: float
    flare_fade_near: float
    lens_flare: int
    mode: int
    rgb: int
    state: int
    timer: float
    unk_40: float
    vertex_count: int
    vertices: numpy.ndarray
    vertices_ptr: int

class Mech27NodesModelPolygons(Part):
    colors: numpy.ndarray
    flags: Union[str, int]
    material_index: int
    matl_refs_ptr: int
    normal_indices_ptr: int
    normals: numpy.ndarray
    priority: int
    uvs: numpy.ndarray
    uvs_ptr: int
    vertex_colors_ptr: int
    vertex_indices_ptr: int
    vertices: numpy.ndarray
    zone_set: Mech27Zones

class Mech27Zones(Part):
    length: int
    zones: numpy.ndarray

class Mech27NodesName(Part):
    ...

class Mech27NodesObject(Part):
    color: numpy.ndarray
    color_alpha: float
    flags: Union[str, int]
    opacity: float
    rotate: numpy.ndarray
    scale: numpy.ndarray
    transform: numpy.ndarray
    world_matrix: numpy.ndarray


class Mech41(Entry):
    nodes: Rows[Mech41Nodes]

class Mech41Nodes(Part):
    action_callback: int
    action_priority: int
    activation_ptr: int
    active_bbox: Union[str, int]
    area_partition_x: int
    area_partition_z: int
    bbox_diag: float
    bbox_mid: numpy.ndarray
    child_array_ptr: int
    child_array_size: int
    child_bbox: numpy.ndarray
    children: int
    data_ptr: int
    environment_data: int
    flags: Union[str, int]
    lod: Mech41NodesLod
    model: Mech41NodesModel
    model_bbox: numpy.ndarray
    model_index: int
    name: Union[Text, Mech41NodesName]
    node_bbox: numpy.ndarray
    object: Mech41NodesObject
    parent_array_ptr: int
    parent_array_size: int
    unk_28: int
    unk_c0: int
    unk_c4: int
    unk_c8: int
    unk_cc: int
    update_flags: Union[str, int]
    virtual_partition_x: int
    virtual_partition_z: int
    zone_id: int

class Mech41NodesLod(Part):
    active: int
    fade: numpy.ndarray
    far_fade: float
    far_fade_sq: float
    level: int
    range_far: float
    range_far_sq: float
    range_near_sq: float
    unk_48: float
    unk_48_sq: float
    unk_54: int
    unk_58: int

class Mech41NodesModel(Part):
    active_polygon_index: int
    bbox_diag: float
    bbox_mid: numpy.ndarray
    facade_mode: Union[str, int]
    flags: Union[str, int]
    light_count: int
    lights: Rows[Mech41NodesModelLights]
    lights_ptr: int
    material_ref_count: int
    material_refs: Rows[Mech41NodesModelMaterialRefs]
    material_refs_ptr: int
    model_type: Union[str, int]
    morph_count: int
    morph_factor: float
    morphs: numpy.ndarray
    morphs_ptr: int
    normal_count: int
    normals: numpy.ndarray
    normals_ptr: int
    parent_count: int
    polygon_count: int
    polygons: Rows[Mech41NodesModelPolygons]
    polygons_ptr: int
    tex_scroll_frame: int
    tex_scroll_u: float
    tex_scroll_v: float
    vertex_count: int
    vertices: numpy.ndarray
    vertices_ptr: int

class Mech41NodesModelLights(Part):
    behavior: int
    color: numpy.ndarray
    depth_bias: int
    depth_fade_end: float
    depth_fade_factor: float
    depth_fade_start: float
    elapsed: int
    flags: int
    flare_fade_far: float
    flare_fade_near: float
    lens_flare: int
    mode: int
    rgb: int
    state: int
    timer: float
    unk_40: float
    vertex_count: int
    vertices: numpy.ndarray
    vertices_ptr: int

class Mech41NodesModelMaterialRefs(Part):
    material_index: int
    polygon_ptr: int
    usages: int

class Mech41NodesModelPolygons(Part):
    colors: numpy.ndarray
    flags: Union[str, int]
    material_count: int
    materials: numpy.ndarray
    materials_ptr: int
    matl_refs_ptr: int
    normal_indices_ptr: int
    normals: numpy.ndarray
    priority: int
    uvs: numpy.ndarray
    uvs_ptr: int
    vertex_colors_ptr: int
    vertex_indices_ptr: int
    vertices: numpy.ndarray
    zone_set: Mech41Zones

class Mech41Zones(Part):
    length: int
    zones: numpy.ndarray

class Mech41NodesName(Part):
    ...

class Mech41NodesObject(Part):
    color: numpy.ndarray
    color_alpha: float
    flags: Union[str, int]
    opacity: float
    rotate: numpy.ndarray
    scale: numpy.ndarray
    transform: numpy.ndarray
    world_matrix: numpy.ndarray


class MechlibFormat(Entry):
    format: int


class MechlibMaterials(Entry):
    materials: Rows[MechlibMaterialsMaterials]

class MechlibMaterialsMaterials(Part):
    alpha: int
    color: numpy.ndarray
    cycle_ptr: int
    flags: Union[str, int]
    rgb: int
    soil: Union[str, int]
    texture: Text
    texture_ptr: int
    unk_14: float
    unk_18: float
    unk_1c: float


class MechlibVersion(Entry):
    version: int


class Messages(Model):
    checksummed: bool
    directories: Rows[MessagesDirectory]
    dos: MessagesDos
    nt: MessagesNt
    optional: MessagesOptional
    optional_rest: Text
    padding: numpy.ndarray
    pieces: Rows[MessagesPieces]
    sections: Rows[MessagesSections]
    stub: Text
    trailing: Text

class MessagesDirectory(Part):
    address: int
    size: int

class MessagesDos(Part):
    checksum: int
    code_segment: int
    instruction_pointer: int
    last_page: int
    magic: int
    memory_least: int
    memory_most: int
    nt_offset: int
    oem_id: int
    oem_info: int
    overlay: int
    pages: int
    paragraphs: int
    relocation_table: int
    relocations: int
    stack_pointer: int
    stack_segment: int
    unk_1c: numpy.ndarray
    unk_28: numpy.ndarray

class MessagesNt(Part):
    characteristics: Union[str, int]
    machine: int
    optional_size: int
    section_count: int
    signature: int
    symbol_count: int
    symbol_table: int
    time: int

class MessagesOptional(Part):
    characteristics: int
    checksum: int
    code_base: int
    code_size: int
    data_base: int
    directory_count: int
    entry_point: int
    file_alignment: int
    headers_size: int
    heap_commit: int
    heap_reserve: int
    image_base: int
    image_size: int
    image_version: numpy.ndarray
    initialized_size: int
    linker: numpy.ndarray
    loader_flags: int
    magic: int
    section_alignment: int
    stack_commit: int
    stack_reserve: int
    subsystem: int
    subsystem_version: numpy.ndarray
    system_version: numpy.ndarray
    uninitialized_size: int
    unk_34: int

class MessagesPieces(Part):
    gap: Text
    item: int

class MessagesSections(Part):
    characteristics: Union[str, int]
    holds: Text
    kind: Text
    line_number_count: int
    line_numbers: int
    name: Union[Text, MessagesSectionsName]
    raw_pointer: int
    raw_size: int
    relocation_count: int
    relocations: int
    virtual_address: int
    virtual_size: int

class MessagesSectionsName(Part):
    ...


class Monsters(Entry):
    monsters: Rows[MonstersMonster]

class MonstersMonster(Part):
    activation_sound: Union[str, int]
    apology_sound: Union[str, int]
    attack_frequency: int
    carried_item: Union[str, int]
    clear_sound: Union[str, int]
    collection: Union[Text, int]
    contrail_effect: Union[str, int]
    dark_visual_range: int
    door_retry_mask: int
    enemies: Union[str, int]
    external_velocity_scale: float
    flags: Union[str, int]
    flaming_sound: Union[str, int]
    friendly_activation_sound: Union[str, int]
    friendly_fire_sound: Union[str, int]
    friends: Union[str, int]
    gravity: int
    half_vertical_arc: int
    half_visual_arc: int
    hard_dead: int
    hard_dying: int
    height: int
    hit: int
    hover_height: int
    immunities: Union[str, int]
    impact_effect: Union[str, int]
    intelligence: int
    kill_sound: Union[str, int]
    maximum_ledge_delta: int
    melee_attack: MonstersAttack
    melee_impact_effect: Union[str, int]
    minimum_ledge_delta: int
    moving: int
    radius: int
    random_sound: Union[str, int]
    random_sound_mask: int
    ranged_attack: MonstersAttack
    shrapnel_damage: MonstersDamage
    shrapnel_radius: int
    soft_dead: int
    soft_dying: int
    sound_pitch: float
    speed: int
    stationary: int
    teleport_in: int
    teleport_out: int
    terminal_velocity: int
    visual_range: int
    vitality: int
    weaknesses: Union[str, int]

class MonstersAttack(Part):
    dx: int
    dy: int
    dz: int
    error: int
    projectile: Union[str, int]
    range: int
    repetitions: int
    shape: int

class MonstersDamage(Part):
    base: int
    flags: Union[str, int]
    kind: Union[str, int]
    random: int
    scale: float


class Motion(Model):
    frame_count: int
    loop_time: float
    part_count: int
    parts: Rows[MotionParts]
    trailing: Text
    unk16: float
    unk20: float
    version: int

class MotionParts(Part):
    flags: Union[str, int]
    name: Text
    rotations: numpy.ndarray
    translations: numpy.ndarray


class Name(Entry):
    level_name: Union[Text, NameLevelName]

class NameLevelName(Part):
    ...


class Objects(Entry):
    objects: Rows[ObjectsObject]

class ObjectsObject(Part):
    facing: int
    flags: Union[str, int]
    group: Union[str, int]
    index: Union[float, Text]
    polygon: int
    x: int
    y: int
    z: int


class Opaque(Entry):
    ...


class Physics(Model):
    blocks: Rows[PhysicsBlocks]

class PhysicsBlocks(Part):
    address: int
    bytes: Text
    count: int
    effects: Rows[PhysicsEarlyEffect]
    monsters: Rows[PhysicsEarlyMonster]
    players: Rows[PhysicsEarlyPlayer]
    projectiles: Rows[PhysicsEarlyProjectile]
    size: int
    tag: Union[Text, PhysicsBlocksTag]
    weapons: Rows[PhysicsEarlyWeapon]

class PhysicsEarlyEffect(Part):
    collection: Union[Text, int]
    flags: Union[str, int]
    shape: int

class PhysicsEarlyMonster(Part):
    activation_sound: int
    attack_frequency: int
    carried_item: int
    collection: Union[Text, int]
    conversation_sound: int
    dark_visual_range: int
    door_retry_mask: int
    enemies: Union[str, int]
    external_velocity_scale: float
    flags: Union[str, int]
    flaming_sound: int
    friends: Union[str, int]
    gravity: int
    half_vertical_arc: int
    half_visual_arc: int
    hard_dead: int
    hard_dying: int
    height: int
    hit: int
    hover_height: int
    immunities: Union[str, int]
    impact_effect: int
    intelligence: int
    maximum_ledge_delta: int
    melee_attack: PhysicsEarlyAttack
    melee_impact_effect: int
    minimum_ledge_delta: int
    moving: int
    radius: int
    random_sound: int
    random_sound_mask: int
    ranged_attack: PhysicsEarlyAttack
    shrapnel_damage: PhysicsDamage
    shrapnel_radius: int
    soft_dead: int
    soft_dying: int
    speed: int
    stationary: int
    terminal_velocity: int
    visual_range: int
    vitality: int
    weaknesses: Union[str, int]

class PhysicsEarlyAttack(Part):
    dx: int
    dy: int
    dz: int
    error: int
    projectile: int
    range: int
    repetitions: int
    shape: int

class PhysicsDamage(Part):
    base: int
    flags: Union[str, int]
    kind: Union[str, int]
    random: int
    scale: float

class PhysicsEarlyPlayer(Part):
    acceleration: float
    airborne_deceleration: float
    angular_acceleration: float
    angular_deceleration: float
    angular_recentering_velocity: float
    camera_height: float
    climbing_acceleration: float
    dead_height: float
    deceleration: float
    external_angular_deceleration: float
    external_deceleration: float
    fast_angular_maximum: float
    fast_angular_velocity: float
    gravitational_acceleration: float
    half_camera_separation: float
    height: float
    maximum_angular_velocity: float
    maximum_backward_velocity: float
    maximum_elevation: float
    maximum_forward_velocity: float
    maximum_perpendicular_velocity: float
    radius: float
    step_amplitude: float
    step_delta: float
    terminal_velocity: float

class PhysicsEarlyProjectile(Part):
    area_of_effect: int
    collection: Union[Text, int]
    contrail_effect: int
    damage: PhysicsDamage
    detonation_effect: int
    flags: Union[str, int]
    flyby_sound: int
    maximum_contrails: int
    maximum_range: int
    radius: int
    shape: int
    speed: int
    ticks_between_contrails: int

class PhysicsBlocksTag(Part):
    ...

class PhysicsEarlyWeapon(Part):
    await_reload_ticks: int
    bob_amplitude: float
    burst_count: numpy.ndarray
    charged_shape: int
    charging_shape: int
    charging_sound: int
    charging_ticks: numpy.ndarray
    click_sound: numpy.ndarray
    collection: Union[Text, int]
    firing_light_decay_ticks: int
    firing_light_intensity: float
    firing_shape: int
    firing_sound: numpy.ndarray
    flags: Union[str, int]
    horizontal_amplitude: float
    idle_height: float
    idle_shape: int
    idle_width: float
    instant_reload_tick: int
    item: int
    kick_height: float
    primary_ammunition: int
    primary_offset: numpy.ndarray
    primary_rounds: int
    projectile: numpy.ndarray
    ready_ticks: int
    recoil: numpy.ndarray
    recovery_ticks: numpy.ndarray
    reload_height: float
    reloading_shape: int
    reloading_sound: int
    secondary_ammunition: int
    secondary_offset: numpy.ndarray
    secondary_rounds: int
    shell_casing_sound: numpy.ndarray
    sound_activation_range: numpy.ndarray
    theta_error: numpy.ndarray
    ticks_per_round: numpy.ndarray
    unused: int


class Picture(Model):
    frame: PictureRectangle
    is_version_1: bool
    opcodes: Rows[PictureOpcodes]
    size: int
    trailing: Text
    version: int
    version_opcode: int
    zeros: numpy.ndarray

class PictureRectangle(Part):
    bottom: int
    left: int
    right: int
    top: int

class PictureOpcodes(Part):
    base_address: int
    bounds: Union[PictureRectangle, numpy.ndarray]
    color_table: int
    color_table_data: PictureOpcodesColorTableData
    comment: int
    component_count: int
    component_size: int
    data: Union[numpy.ndarray, Text]
    destination: PictureRectangle
    form: Union[str, int]
    horizontal_resolution: float
    length: int
    map_reserved: int
    map_version: int
    mask: PictureOpcodesMask
    mode: int
    ones: int
    opcode: Union[str, int]
    pack_size: int
    pack_type: Union[str, int]
    pad: numpy.ndarray
    palette_crc32: Text
    picture: Text
    pixel_size: int
    pixel_type: Union[str, int]
    pixels: PictureOpcodesPixels
    plane_bytes: int
    region: PictureOpcodesRegion
    reserved: int
    row_bytes: Union[Text, int]
    row_tails: Rows[Text]
    source: PictureRectangle
    vertical_resolution: float
    zero: int

class PictureOpcodesColorTableData(Part):
    colors: Rows[PictureColor]
    flags: Union[str, int]
    last_color: int
    seed: int

class PictureColor(Part):
    blue: int
    green: int
    red: int
    value: int

class PictureOpcodesMask(Part):
    bounds: PictureRectangle
    lines: numpy.ndarray
    region_size: int

class PictureOpcodesPixels(Part):
    packer: Text
    rows: Rows[Text]

class PictureOpcodesRegion(Part):
    bounds: PictureRectangle
    lines: numpy.ndarray
    region_size: int


class Placeholder(Entry):
    zero: int


class Placement(Entry):
    items: Rows[PlacementFrequency]
    monsters: Rows[PlacementFrequency]

class PlacementFrequency(Part):
    flags: Union[str, int]
    initial_count: int
    maximum: int
    minimum: int
    random_chance: int
    random_count: int


class PlatformPlans(Entry):
    platform_plans: Rows[PlatformPlansPlatformPlan]

class PlatformPlansPlatformPlan(Part):
    delay: int
    flags: Union[str, int]
    kind: Union[str, int]
    maximum_height: int
    minimum_height: int
    polygon: int
    speed: Union[str, int]
    tag: int
    unused: numpy.ndarray


class Platforms(Entry):
    platforms: Rows[PlatformsPlatform]

class PlatformsPlatform(Part):
    ceiling_height: int
    delay: int
    endpoint_owners: Rows[PlatformsEndpointOwner]
    flags: Union[str, int]
    floor_height: int
    kind: Union[str, int]
    maximum_ceiling_height: int
    maximum_floor_height: int
    minimum_ceiling_height: int
    minimum_floor_height: int
    parent: int
    polygon: int
    speed: Union[str, int]
    state: Union[str, int]
    tag: int
    ticks_until_restart: int
    unused: str

class PlatformsEndpointOwner(Part):
    first_line: int
    first_polygon: int
    line_count: int
    polygon_count: int


class PlayerPhysics(Entry):
    player_physics: Rows[PlayerPhysicsPlayer]

class PlayerPhysicsPlayer(Part):
    acceleration: float
    airborne_deceleration: float
    angular_acceleration: float
    angular_deceleration: float
    angular_recentering_velocity: float
    camera_height: float
    climbing_acceleration: float
    dead_height: float
    deceleration: float
    external_angular_deceleration: float
    external_deceleration: float
    fast_angular_maximum: float
    fast_angular_velocity: float
    gravitational_acceleration: float
    half_camera_separation: float
    height: float
    maximum_angular_velocity: float
    maximum_backward_velocity: float
    maximum_elevation: float
    maximum_forward_velocity: float
    maximum_perpendicular_velocity: float
    radius: float
    splash_height: float
    step_amplitude: float
    step_delta: float
    terminal_velocity: float


class Points(Entry):
    points: Rows[PointsPoint]
    rest: Text

class PointsPoint(Part):
    x: int
    y: int


class Polygons(Entry):
    polygons: Rows[PolygonsPolygon]

class PolygonsPolygon(Part):
    adjacent_polygons: numpy.ndarray
    ambient_sound: int
    area: int
    ceiling_height: int
    ceiling_light: int
    ceiling_origin: numpy.ndarray
    ceiling_texture: Union[Text, int]
    ceiling_transfer_mode: Union[str, int]
    center: numpy.ndarray
    endpoints: numpy.ndarray
    first_exclusion_zone: int
    first_neighbor: int
    first_object: int
    first_sound_source: int
    flags: Union[str, int]
    floor_height: int
    floor_light: int
    floor_origin: numpy.ndarray
    floor_texture: Union[Text, int]
    floor_transfer_mode: Union[str, int]
    kind: Union[str, int]
    line_exclusion_count: int
    lines: numpy.ndarray
    media: int
    media_light: int
    neighbor_count: int
    permutation: int
    point_exclusion_count: int
    random_sound: int
    sides: numpy.ndarray
    unused: int
    vertex_count: int


class Projectiles(Entry):
    projectiles: Rows[ProjectilesProjectile]

class ProjectilesProjectile(Part):
    area_of_effect: int
    collection: Union[Text, int]
    contrail_effect: Union[str, int]
    damage: ProjectilesDamage
    detonation_effect: Union[str, int]
    flags: Union[str, int]
    flyby_sound: Union[str, int]
    maximum_contrails: int
    maximum_range: int
    media_detonation_effect: Union[str, int]
    media_promotion: Union[str, int]
    radius: int
    rebound_sound: Union[str, int]
    shape: int
    sound_pitch: float
    speed: int
    ticks_between_contrails: int

class ProjectilesDamage(Part):
    base: int
    flags: Union[str, int]
    kind: Union[str, int]
    random: int
    scale: float


class RandomSounds(Entry):
    random_sounds: Rows[RandomSoundsRandomSource]

class RandomSoundsRandomSource(Part):
    delta_direction: int
    delta_period: int
    delta_pitch: float
    delta_volume: int
    direction: int
    flags: Union[str, int]
    period: int
    phase: int
    pitch: float
    sound: Union[str, int]
    unused: numpy.ndarray
    volume: int


class RawPicture(Entry):
    depth: int
    height: int
    left: int
    pixels: Text
    top: int
    width: int


class Reader(Model):
    trailing: Text
    value: Any


class Resources(Model):
    application_area: str
    data_length: int
    data_offset: int
    map: ResourcesMap
    map_length: int
    map_offset: int
    pieces: Rows[ResourcesPieces]
    resources: Rows[ResourcesResources]
    rest: Text
    system_area: str
    trailing: Text
    tree: Rows[ResourcesTree]
    types: Rows[ResourcesTypes]

class ResourcesMap(Part):
    data_length_again: int
    data_offset_again: int
    file_reference: int
    fork_attributes: int
    last_type: int
    map_length_again: int
    map_offset_again: int
    name_list: int
    next_map: int
    type_list: int

class ResourcesPieces(Part):
    gap: Text
    item: int
    overlap: ResourcesPiecesOverlap
    own: Text

class ResourcesPiecesOverlap(Part):
    back: int
    item: int
    laid: int
    shared: int

class ResourcesResources(Part):
    attributes: Union[str, int]
    bytes: Text
    code: Union[Text, ResourcesResourcesCode]
    data_offset: numpy.ndarray
    data_order: int
    gap: Text
    handle: int
    holds: Text
    id: int
    kind: Text
    last: int
    length: int
    loose: bool
    name: Text
    name_is_shared: bool
    name_offset: int
    name_order: int
    path: numpy.ndarray
    references: int
    strings: Rows[Union[ResourcesResourcesStrings, Text]]
    table: ResourcesResourcesTable
    trailing: Text
    type: Text

class ResourcesResourcesCode(Part):
    ...

class ResourcesResourcesStrings(Part):
    units: numpy.ndarray

class ResourcesResourcesTable(Part):
    blocks: Rows[ResourcesResourcesTableBlocks]
    code_page: Text
    messages: Rows[ResourcesResourcesTableMessages]
    pieces: Rows[ResourcesResourcesTablePieces]
    trailing: Text

class ResourcesResourcesTableBlocks(Part):
    high_id: int
    low_id: int
    offset: int

class ResourcesResourcesTableMessages(Part):
    bare: bool
    cr: int
    flags: int
    id: int
    key: Text
    length: int
    lf: int
    nul: int
    room: numpy.ndarray
    text: Text

class ResourcesResourcesTablePieces(Part):
    gap: Text
    item: int
    overlap: ResourcesResourcesTablePiecesOverlap
    own: Text

class ResourcesResourcesTablePiecesOverlap(Part):
    back: int
    item: int
    laid: int
    shared: int

class ResourcesTree(Part):
    address: int
    characteristics: int
    code_page: int
    entries: Rows[ResourcesDirectoryEntry]
    kind: Text
    named: int
    numbered: int
    size: int
    time: int
    units: numpy.ndarray
    unk_0c: int
    version: numpy.ndarray

class ResourcesDirectoryEntry(Part):
    id: int
    offset: int

class ResourcesTypes(Part):
    code: Union[Text, ResourcesTypesCode]
    count: int
    last: int
    no_references: int
    references: int
    type: Text

class ResourcesTypesCode(Part):
    ...


class Rof(Model):
    entry_count: int
    items: Rows[RofItems]
    names: Rows[RofNames]
    names_length: int
    pieces: Rows[RofPieces]
    records: Rows[RofRecords]
    trailing: Text

class RofItems(Part):
    directory: bool
    kind: Text

class RofNames(Part):
    name: Text

class RofPieces(Part):
    gap: Text
    item: int
    overlap: RofPiecesOverlap
    own: Text

class RofPiecesOverlap(Part):
    back: int
    item: int
    laid: int
    shared: int

class RofRecords(Part):
    decoded_size: int
    flags: Union[str, int]
    item: int
    name_length: int
    name_offset: int
    start: int
    stored_size: int


class SaveActivation(Entry):
    activation_state: int
    command: int
    count: int
    entry_index: int
    name: Union[Text, SaveActivationName]
    node_index: int
    nodes: Rows[SaveActivationTrackedNode]
    parameters: numpy.ndarray
    record_id: int
    unused: int

class SaveActivationName(Part):
    ...

class SaveActivationTrackedNode(Part):
    active: int
    flags: int
    node_index: int
    transform: numpy.ndarray
    user_value: int
    uses_matrix: int


class SaveCrater(Entry):
    center: numpy.ndarray
    depth: float
    flags: int
    junk: str
    material_slot: int
    owner: int
    point_count: int
    radius: float
    reload: int
    slope: float


class SaveCrimsonHeader(Entry):
    categories: Union[str, int]
    format: int
    length: int


class SaveCrimsonPlayerVehicle(Entry):
    value: int


class SaveCrimsonUiData(Entry):
    default_save_name: Union[Text, SaveCrimsonUiDataDefaultSaveName]
    memento_image: Union[Text, SaveCrimsonUiDataMementoImage]
    mission_index: int
    missions_completed: int
    money: int
    pilot_name: Union[Text, SaveCrimsonUiDataPilotName]
    pilot_plane: int
    planes: Rows[SaveCrimsonUiDataPlane]
    profile_folder: Union[Text, SaveCrimsonUiDataProfileFolder]
    results: Rows[Rows[SaveCrimsonUiDataMissionResult]]
    screen_height: int
    screen_state: int
    screen_width: int
    unk_04: str
    unk_110: str
    unk_164: str
    unk_1904: str
    unk_28d0: str
    unk_334: str
    wingman_plane: int

class SaveCrimsonUiDataDefaultSaveName(Part):
    ...

class SaveCrimsonUiDataMementoImage(Part):
    ...

class SaveCrimsonUiDataPilotName(Part):
    ...

class SaveCrimsonUiDataPlane(Part):
    airframe: int
    ammunition: Rows[Union[str, int]]
    armor: numpy.ndarray
    color_rgb: numpy.ndarray
    colors: numpy.ndarray
    decals: numpy.ndarray
    gun_families: numpy.ndarray
    guns: Rows[Union[str, int]]
    hardpoints: numpy.ndarray
    name: Union[Text, SaveCrimsonUiDataPlaneName]
    ordnance: Rows[Union[str, int]]
    owned: int
    paint_pattern: int
    shades: numpy.ndarray
    unk_30: str
    unk_3c: str
    unk_c8: str

class SaveCrimsonUiDataPlaneName(Part):
    ...

class SaveCrimsonUiDataProfileFolder(Part):
    ...

class SaveCrimsonUiDataMissionResult(Part):
    airframe: int
    hits: numpy.ndarray
    money: int
    objectives: int
    plane: Union[Text, SaveCrimsonUiDataMissionResultPlane]
    shots: numpy.ndarray
    time: int
    total_hits: int
    total_shots: int
    unk_24: str

class SaveCrimsonUiDataMissionResultPlane(Part):
    ...


class SaveDummy(Entry):
    junk: str
    reload: int


class SaveHeader(Entry):
    format: int
    version: int


class SaveLateMission(Entry):
    value: int


class SaveMechActivation(Entry):
    count: int
    name: Union[Text, SaveMechActivationName]
    node_index: int
    nodes: Rows[str]
    ptr: int
    status: Union[str, int]
    unk04: int
    unk86: int
    unk87: int
    values: numpy.ndarray

class SaveMechActivationName(Part):
    ...


class SaveMine(Entry):
    owner: Union[Text, SaveMineOwner]
    position: numpy.ndarray
    reset_marker: int
    scale: numpy.ndarray
    weapon: Union[Text, SaveMineWeapon]

class SaveMineOwner(Part):
    ...

class SaveMineWeapon(Part):
    ...


class SaveMission(Entry):
    completed_objective_count: int
    current_objective: int
    difficulty: int
    first_incomplete_objective: int
    flow_deadline: float
    mission_flags: int
    mission_id: int
    objective_flow_state: int
    objectives_completed: numpy.ndarray
    statistics: numpy.ndarray
    weapons_found_mask: int


class SavePickup(Entry):
    amount: int
    first_record: int
    id: int
    position: numpy.ndarray
    respawn_delay: float
    rotation: numpy.ndarray
    spawn_param: int


class SavePlayer(Entry):
    ai_mode: int
    alt_bank: int
    alt_side: int
    amphib_unlocked: int
    auto_turn_sign: int
    bank_input: int
    banks: Rows[SavePlayerBank]
    camera_position: numpy.ndarray
    camera_target: numpy.ndarray
    hit_flags: int
    hit_source_id: int
    hover_unlocked: int
    hud_counter: int
    level: float
    light_node: int
    light_parent: int
    master_type: int
    motion_input: int
    next_mode_switch_time: float
    next_update: float
    primary_bank: int
    primary_side: int
    size: int
    status_ratio: float
    sub_unlocked: int
    tag_count: int
    tags: numpy.ndarray
    target_level: float

class SavePlayerBank(Part):
    selected_side: int
    sides: Rows[SavePlayerSide]

class SavePlayerSide(Part):
    ammo: float
    enabled: int


class SaveQuicksand(Entry):
    center: numpy.ndarray
    cycle_material: int
    depth: float
    flags: int
    material: int
    owner: int
    point_count: int
    radius: float
    reload: int
    slope: float


class SaveRunning(Entry):
    countdown: float
    index: int
    lights: Rows[SaveRunningLight]
    lights_count: int
    match_root: int
    name: Union[Text, SaveRunningName]
    node_a: int
    node_b: int
    reserved: int
    root_node: int
    sequences: Rows[SaveRunningSequences]
    sequences_count: int
    sounds: Rows[SaveRunningSound]
    sounds_count: int
    state: int
    trigger: float
    unused: str
    vec_a: numpy.ndarray
    vec_b: numpy.ndarray
    velocity: numpy.ndarray

class SaveRunningLight(Part):
    attached: int
    name: Union[Text, SaveRunningLightName]
    parent: int
    position: numpy.ndarray

class SaveRunningLightName(Part):
    ...

class SaveRunningName(Part):
    ...

class SaveRunningSequences(Part):
    current_event: int
    elapsed: numpy.ndarray
    events: Text
    loop_count: int
    name: Union[Text, SaveRunningSequencesName]
    reset_mode: int
    run_state: int
    stream: int
    stream_size: int
    unused_22: str
    unused_32: str

class SaveRunningSequencesName(Part):
    ...

class SaveRunningSound(Part):
    attached: int
    has_position: int
    name: Union[Text, SaveRunningSoundName]
    parent: int
    position: numpy.ndarray

class SaveRunningSoundName(Part):
    ...


class SaveTimer(Entry):
    elapsed: int


class SaveVehicle(Entry):
    activation_radius_sq: float
    ai_active: int
    ai_net_id: int
    ai_state: int
    alert: int
    attack_radius_sq: float
    dynamic_offset: numpy.ndarray
    local_master_type: int
    marker: int
    master_type: int
    nanite_level: int
    path_cursor_request: int
    position: numpy.ndarray
    restore_distance_sq: float
    restore_target: numpy.ndarray
    return_state: int
    return_steering: int
    rotation: numpy.ndarray
    saved_state: int
    size: int
    status_scaled: float
    status_value: float
    steering: int
    tick_suppressed: int


class SaveWeapons(Entry):
    hit_count: int


class SaveWorld(Entry):
    altitude_high: float
    altitude_low: float
    density: float
    far: float
    fog_color: numpy.ndarray
    fog_state: int
    near: float


class SavedEffects(Entry):
    saved_effects: Rows[SavedEffectsSavedEffect]

class SavedEffectsSavedEffect(Part):
    data: int
    delay: int
    flags: int
    kind: Union[str, int]
    object: int
    unused: str


class SavedLights(Entry):
    saved_lights: Rows[SavedLightsSavedLight]

class SavedLightsSavedLight(Part):
    final_intensity: float
    flags: int
    initial_intensity: float
    intensity: float
    light: SavedLightsLight
    period: int
    phase: int
    state: int
    unused: str

class SavedLightsLight(Part):
    becoming_active: SavedLightsPulse
    becoming_inactive: SavedLightsPulse
    flags: Union[str, int]
    kind: Union[str, int]
    phase: int
    primary_active: SavedLightsPulse
    primary_inactive: SavedLightsPulse
    secondary_active: SavedLightsPulse
    secondary_inactive: SavedLightsPulse
    tag: int
    unused: numpy.ndarray

class SavedLightsPulse(Part):
    delta_intensity: float
    delta_period: int
    function: Union[str, int]
    intensity: float
    period: int


class SavedMonsters(Entry):
    saved_monsters: Rows[SavedMonstersSavedMonster]

class SavedMonstersSavedMonster(Part):
    action: int
    activation_bias: Union[str, int]
    attack_repetitions: int
    changes_until_lock_lost: int
    desired_height: int
    elevation: int
    external_velocity: int
    flags: int
    goal_polygon: int
    kind: Union[str, int]
    mode: int
    object: int
    path: int
    path_segment_length: int
    random_desired_height: int
    sound_location: numpy.ndarray
    sound_polygon: int
    target: int
    ticks_since_activation: int
    ticks_since_attack: int
    unused: str
    vertical_velocity: int
    vitality: int


class SavedObjects(Entry):
    saved_objects: Rows[SavedObjectsSavedObject]

class SavedObjectsSavedObject(Part):
    facing: int
    flags: int
    next_object: int
    parasitic_object: int
    permutation: int
    polygon: int
    sequence: int
    shape: Union[Text, int]
    sound_pitch: float
    transfer_mode: Union[str, int]
    transfer_period: int
    transfer_phase: int
    x: int
    y: int
    z: int


class SavedPlayers(Entry):
    saved_players: Rows[SavedPlayersSavedPlayer]

class SavedPlayersSavedPlayer(Part):
    camera: numpy.ndarray
    camera_polygon: int
    color: int
    control_panel_side: int
    damage_given: SavedPlayersDamageRecord
    damage_given_to_monsters: SavedPlayersDamageRecord
    damage_taken_from_monsters: SavedPlayersDamageRecord
    damage_taken_from_players: Rows[SavedPlayersDamageRecord]
    elevation: int
    extravision_duration: int
    facing: int
    flags: int
    game_parameters: numpy.ndarray
    identifier: int
    infravision_duration: int
    interface_decay: int
    interface_flags: int
    interlevel_teleport_phase: int
    invincibility_duration: int
    invisibility_duration: int
    item_counts: numpy.ndarray
    last_supporting_polygon: int
    location: numpy.ndarray
    monster: int
    name: Union[Text, SavedPlayersSavedPlayerName]
    object: int
    physics: SavedPlayersPhysicsState
    reincarnation_delay: int
    suit_energy: int
    suit_oxygen: int
    supporting_polygon: int
    team: int
    teleport_delay: int
    teleport_destination: int
    teleport_phase: int
    ticks_at_last_save: int
    unused: str
    weapon_decay: int
    weapon_intensity: float

class SavedPlayersDamageRecord(Part):
    damage: int
    kills: int

class SavedPlayersSavedPlayerName(Part):
    ...

class SavedPlayersPhysicsState(Part):
    action: int
    flags: int
    old_flags: int
    values: numpy.ndarray


class SavedProjectiles(Entry):
    saved_projectiles: Rows[SavedProjectilesSavedProjectile]

class SavedProjectilesSavedProjectile(Part):
    contrail_count: int
    contrail_ticks: int
    damage_scale: float
    distance: int
    elevation: int
    flags: int
    gravity: int
    kind: Union[str, int]
    object: int
    owner: int
    owner_kind: int
    permutation: int
    target: int
    unused: str


class Script(Entry):
    lines: Rows[ScriptLines]

class ScriptLines(Part):
    size: int
    tokens: int
    words: Text


class Scripts(Entry):
    rest: Text
    scripts: Rows[ScriptsScripts]

class ScriptsScripts(Part):
    flags: int
    length: int
    name: Union[Text, ScriptsScriptsName]
    text: Text

class ScriptsScriptsName(Part):
    ...


class SeenLines(Entry):
    seen_lines: numpy.ndarray


class SeenPolygons(Entry):
    seen_polygons: numpy.ndarray


class Shapes(Model):
    pieces: Rows[ShapesPieces]
    slots: Rows[ShapesSlots]
    trailing: Text

class ShapesCollection1(Part):
    kind: Text

class ShapesCollection1Deep(Part):
    kind: Text

class ShapesCollection2(Part):
    kind: Text

class ShapesCollection2Deep(Part):
    kind: Text

class ShapesCollection3(Part):
    kind: Text

class ShapesPieces(Part):
    gap: Text
    item: int
    overlap: ShapesPiecesOverlap
    own: Text

class ShapesPiecesOverlap(Part):
    back: int
    item: int
    laid: int
    shared: int

class ShapesSlots(Part):
    deep_offset: int
    deep_size: int
    flags: int
    offset: int
    size: int
    status: int
    unused: str


class ShapesPatch(Model):
    blocks: Rows[ShapesPatchBlocks]

class ShapesPatchBlocks(Part):
    bit_depth: int
    collection: Union[Text, int]
    end: Union[Text, ShapesPatchBlocksEnd]
    items: Rows[ShapesPatchBlocksItems]

class ShapesPatchBlocksEnd(Part):
    ...

class ShapesPatchBlocksItems(Part):
    bitmaps: Rows[ShapesPatchBlocksItemsBitmaps]
    colors: Rows[ShapesPatchBlocksItemsColors]
    definition: ShapesPatchBlocksItemsDefinition
    frames: Rows[ShapesPatchFrameItem]
    sequences: Rows[ShapesPatchBlocksItemsSequences]

class ShapesPatchBlocksItemsBitmaps(Part):
    bit_depth: int
    bytes_per_row: int
    flags: Union[str, int]
    height: int
    index: int
    palette_crc32: Text
    picture: Text
    size: int
    tag: Union[Text, ShapesPatchBlocksItemsBitmapsTag]
    trailing: Text
    unused: numpy.ndarray
    width: int

class ShapesPatchBlocksItemsBitmapsTag(Part):
    ...

class ShapesPatchBlocksItemsColors(Part):
    index: int
    table: Rows[ShapesPatchColor]
    tag: Union[Text, ShapesPatchBlocksItemsColorsTag]

class ShapesPatchColor(Part):
    blue: int
    flags: Union[str, int]
    green: int
    red: int
    value: int

class ShapesPatchBlocksItemsColorsTag(Part):
    ...

class ShapesPatchBlocksItemsDefinition(Part):
    bitmap_count: int
    bitmap_table: int
    collection_type: Union[str, int]
    color_table_count: int
    color_tables: int
    colors_per_table: int
    flags: int
    frame_count: int
    frame_table: int
    pixels_to_world: int
    sequence_count: int
    sequence_table: int
    size: int
    tag: Union[Text, ShapesPatchBlocksItemsDefinitionTag]
    unused: numpy.ndarray
    version: int

class ShapesPatchBlocksItemsDefinitionTag(Part):
    ...

class ShapesPatchFrameItem(Part):
    frame: ShapesPatchFrame
    index: int
    tag: Union[Text, ShapesPatchFrameItemTag]

class ShapesPatchFrame(Part):
    bitmap: int
    flags: Union[str, int]
    key_point: numpy.ndarray
    minimum_light: float
    origin: numpy.ndarray
    unused: numpy.ndarray
    world_bottom: int
    world_key_point: numpy.ndarray
    world_left: int
    world_right: int
    world_top: int

class ShapesPatchFrameItemTag(Part):
    ...

class ShapesPatchBlocksItemsSequences(Part):
    first_frame_sound: Union[str, int]
    flags: int
    frames: numpy.ndarray
    frames_per_view: int
    index: int
    key_frame: int
    key_frame_sound: Union[str, int]
    last_frame_sound: Union[str, int]
    loop_frame: int
    name: Union[Text, ShapesPatchBlocksItemsSequencesName]
    pixels_to_world: int
    sequence_type: int
    size: int
    spare_frame: int
    tag: Union[Text, ShapesPatchBlocksItemsSequencesTag]
    ticks_per_frame: int
    transfer_mode: Union[str, int]
    transfer_mode_period: int
    unused: numpy.ndarray
    view_type: Union[str, int]

class ShapesPatchBlocksItemsSequencesName(Part):
    ...

class ShapesPatchBlocksItemsSequencesTag(Part):
    ...


class ShortInformation(Entry):
    entry_point_flags: Union[str, int]
    environment: Union[str, int]
    environment_flags: Union[str, int]
    landscape: Union[float, Text]
    level_name: Union[Text, ShortInformationLevelName]
    mission_flags: Union[str, int]
    physics_model: int
    unused: str

class ShortInformationLevelName(Part):
    ...


class Sides(Entry):
    sides: Rows[SidesSide]

class SidesSide(Part):
    ambient_delta: float
    control_panel: Union[str, int]
    exclusion_zone: numpy.ndarray
    flags: Union[str, int]
    kind: Union[str, int]
    line: int
    permutation: int
    polygon: int
    primary: SidesTexture
    primary_light: int
    primary_transfer_mode: Union[str, int]
    secondary: SidesTexture
    secondary_light: int
    secondary_transfer_mode: Union[str, int]
    transparent: SidesTexture
    transparent_light: int
    transparent_transfer_mode: Union[str, int]
    unused: int

class SidesTexture(Part):
    shape: Union[Text, int]
    x: int
    y: int


class Sound(Entry):
    commands: Rows[SoundCommands]
    data_types: Rows[SoundDataType]
    format: int
    gap: Text
    is_silent: bool
    reference_count: int
    sound: SoundSound
    trailing: Text

class SoundCommands(Part):
    command: Union[str, int]
    offset: int
    param1: int
    param2: int

class SoundDataType(Part):
    data_type: Union[str, int]
    init_option: int

class SoundSound(Part):
    aes_pointer: int
    base_note: int
    channels: int
    encoding: int
    form: Text
    frames: int
    future: numpy.ndarray
    instrument_pointer: int
    length: int
    loop_end: int
    loop_start: int
    marker_pointer: int
    rate: float
    rate_extended: numpy.ndarray
    sample_pointer: int
    sample_size: int
    wave: Text


class Sounds(Model):
    definitions: Rows[SoundsDefinitions]
    is_old: bool
    pieces: Rows[SoundsPieces]
    sound_count: int
    sounds: Rows[SoundsSounds]
    source_count: int
    tag: Union[Text, SoundsTag]
    trailing: Text
    unused: str
    version: int

class SoundsDefinitions(Part):
    behavior: Union[str, int]
    chance: int
    code: int
    flags: Union[str, int]
    group_offset: int
    high_pitch: float
    is_empty: bool
    kind: Text
    last_played: int
    low_pitch: float
    permutation_offsets: numpy.ndarray
    permutations: int
    permutations_played: int
    same_as: int
    sample_pointer: int
    sample_pointer_size: int
    single_size: int
    total_size: int

class SoundsPieces(Part):
    gap: Text
    item: int
    overlap: SoundsPiecesOverlap
    own: Text

class SoundsPiecesOverlap(Part):
    back: int
    item: int
    laid: int
    shared: int

class SoundsSounds(Part):
    aes_pointer: int
    base_note: int
    channels: int
    compression_id: int
    encoding: int
    form: Text
    format: Union[Text, SoundsSoundsFormat]
    frames: int
    future: Union[numpy.ndarray, int]
    instrument_pointer: int
    leftover_pointer: int
    length: int
    loop_end: int
    loop_start: int
    marker_pointer: int
    packet_size: int
    rate: float
    rate_extended: numpy.ndarray
    sample_pointer: int
    sample_size: int
    state_pointer: int
    synthesizer_id: int
    wave: Text

class SoundsSoundsFormat(Part):
    ...

class SoundsTag(Part):
    ...


class SoundsPatch(Entry):
    items: Rows[SoundsPatchItems]

class SoundsPatchItems(Part):
    behavior: Union[str, int]
    chance: int
    code: int
    flags: Union[str, int]
    group_offset: int
    high_pitch: float
    index: Union[str, int]
    kind: Text
    last_played: int
    low_pitch: float
    permutation_offsets: numpy.ndarray
    permutations: int
    permutations_played: int
    sample_pointer: int
    sample_pointer_size: int
    single_size: int
    sizes: numpy.ndarray
    tag: Union[Text, SoundsPatchItemsTag]
    total_size: int
    zero04: int

class SoundsPatchItemsTag(Part):
    ...


class String(Entry):
    text: Text
    trailing: Text


class StringList(Entry):
    string_count: int
    strings: Rows[StringListStrings]

class StringListStrings(Part):
    text: Text


class Terminals(Entry):
    rest: Text
    terminals: Rows[TerminalsTerminals]

class TerminalsTerminals(Part):
    face_count: int
    faces: Rows[TerminalsFace]
    flags: Union[str, int]
    group_count: int
    groups: Rows[TerminalsGroup]
    length: int
    lines_per_page: int
    markup: Text
    text: Text

class TerminalsFace(Part):
    color: Union[str, int]
    face: Union[str, int]
    text_index: int

class TerminalsGroup(Part):
    flags: Union[str, int]
    kind: Union[str, int]
    maximum_line_count: int
    permutation: int
    text_length: int
    text_start: int


class Text(Entry):
    text: Text


class TextReader(Model):
    ...


class Texture(Model):
    directory: Rows[TextureDirectory]
    global_palette_count: int
    image_count: int
    palettes: numpy.ndarray
    pieces: Rows[TexturePieces]
    trailing: Text
    version: int
    zero00: int
    zero16: int
    zero20: int

class TextureDirectory(Part):
    kind: Text
    name: Union[Text, TextureDirectoryName]
    palette_index: int
    start: int

class TextureDirectoryName(Part):
    ...

class TexturePieces(Part):
    gap: Text
    item: int
    overlap: TexturePiecesOverlap
    own: Text

class TexturePiecesOverlap(Part):
    back: int
    item: int
    laid: int
    shared: int


class Wad(Model):
    application_data_size: int
    checksum: int
    chunk_header_size: int
    data_version: Union[str, int]
    directory: Rows[WadDirectory]
    directory_offset: int
    entry_count: int
    name: Union[Text, WadName]
    parent_checksum: int
    pieces: Rows[WadPieces]
    slot_size: int
    trailing: Text
    unused: str
    version: Union[str, int]

class WadDirectory(Part):
    application_data: Text
    index: int
    kind: Text
    length: int
    level: WadDirectoryLevel
    offset: int

class WadDirectoryLevel(Part):
    entry_point_flags: Union[str, int]
    environment_flags: Union[str, int]
    level_name: Union[Text, WadDirectoryLevelLevelName]
    mission_flags: Union[str, int]

class WadDirectoryLevelLevelName(Part):
    ...

class WadName(Part):
    ...

class WadPieces(Part):
    gap: Text
    item: int
    overlap: WadPiecesOverlap
    own: Text
    table: bool

class WadPiecesOverlap(Part):
    back: int
    item: int
    laid: int
    shared: int


class Wave(Model):
    form: Union[Text, WaveForm]
    id: Union[Text, WaveId]
    riff_size: int

class WaveForm(Part):
    ...

class WaveId(Part):
    ...


class Weapons(Entry):
    weapons: Rows[WeaponsWeapon]

class WeaponsWeapon(Part):
    await_reload_ticks: int
    bob_amplitude: float
    charged_shape: int
    charging_shape: int
    collection: Union[Text, int]
    finish_loading_ticks: int
    firing_light_decay_ticks: int
    firing_light_intensity: float
    firing_shape: int
    flags: Union[str, int]
    horizontal_amplitude: float
    idle_height: float
    idle_shape: int
    idle_width: float
    item: Union[str, int]
    kick_height: float
    loading_ticks: int
    powerup: Union[str, int]
    powerup_ticks: int
    primary_trigger: WeaponsTrigger
    ready_ticks: int
    reload_height: float
    reloading_shape: int
    secondary_trigger: WeaponsTrigger
    unused: int

class WeaponsTrigger(Part):
    ammunition: Union[str, int]
    burst_count: int
    charged_sound: Union[str, int]
    charging_sound: Union[str, int]
    charging_ticks: int
    click_sound: Union[str, int]
    dx: int
    dz: int
    firing_sound: Union[str, int]
    projectile: Union[str, int]
    recoil: int
    recovery_ticks: int
    reloading_sound: Union[str, int]
    rounds_per_magazine: int
    shell_casing: Union[str, int]
    shell_casing_sound: Union[str, int]
    theta_error: int
    ticks_per_round: int


class Worlds(Entry):
    worlds: Rows[WorldsWorld]

class WorldsWorld(Part):
    ambient_sound_count: int
    beacon: numpy.ndarray
    casualty_counters: numpy.ndarray
    civilians_killed: int
    default_annotation_count: int
    effect_count: int
    endpoint_count: int
    game: WorldsGameInformation
    garbage_object_count: int
    initial_object_count: int
    last_monster_to_build_path: int
    last_monster_to_get_time: int
    level: int
    light_count: int
    light_source_count: int
    line_count: int
    mangler_cookie: int
    map_index_count: int
    monster_count: int
    object_count: int
    personal_annotation_count: int
    placement_counters: numpy.ndarray
    platform_count: int
    player: int
    player_count: int
    polygon_count: int
    projectile_count: int
    random_seed: int
    random_sound_count: int
    side_count: int
    speaking_player: int
    tick_count: int
    unused: int
    vanishing_cookie: int

class WorldsGameInformation(Part):
    difficulty: Union[str, int]
    kill_limit: int
    kind: Union[str, int]
    options: Union[str, int]
    parameters: numpy.ndarray
    random_seed: int
    time_remaining: int


class Zlib(Entry):
    ...


class Zmap(Model):
    features: Rows[ZmapFeatures]
    max: numpy.ndarray
    min: numpy.ndarray
    trailing: Text
    unk04: int
    version: int

class ZmapFeatures(Part):
    color: numpy.ndarray
    objective: int
    point_count: int
    points: numpy.ndarray
