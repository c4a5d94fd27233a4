"""The members of each kind of file. Written by stubs.py from the layout tables; do not edit.

SHA-256 of their schemas: aa08af1462e2161fb09ce1fb736450c452d905361ed28b30983bf619b1a3d5bd

Lists of records are objects, or arrays whose rows have the same attributes; arrays keep their length, so that only objects have `append` and
the like. A value of a field with names is one of them, or a number. Lists with an encoding of their own are plain lists.
"""

from typing import Any, Iterable, Iterator, Protocol, TypeVar, Union, overload

from numpy.typing import NDArray as _NDArray

from ._model import AnyModel as _AnyModel, Entry as _Entry, Model as _Model, Part as _Part

_Array = _NDArray[Any]
# Text; or an array of bytes, which the exchange format has as text.
_Text = Union[str, _Array]
_Row = TypeVar("_Row", covariant=True)


class _Rows(Protocol[_Row]):
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[_Row]: ...
    @overload
    def __getitem__(self, key: Union[int, str]) -> _Row: ...
    @overload
    def __getitem__(self, key: slice) -> Any: ...
    def __setitem__(self, key: Any, value: Any) -> None: ...
    def __delitem__(self, key: Union[int, slice]) -> None: ...
    def append(self, value: Any) -> None: ...
    def extend(self, values: Iterable[Any]) -> None: ...
    def insert(self, index: int, value: Any) -> None: ...
    def pop(self, index: int = -1) -> Any: ...


def class_of(kind: str) -> type[_Model]: ...


class Of2da(_AnyModel): ...


class AmbientSounds(_Entry):
    ambient_sounds: _Rows[AmbientSoundsAmbientSource]

class AmbientSoundsAmbientSource(_Part):
    flags: int
    sound: Union[str, int]
    unused: _Array
    volume: int


class Anim(_Model):
    bases: _Rows[AnimBase]
    definitions: _Rows[AnimDefinitions]
    info: AnimInfo
    messages: _Rows[AnimMessage]
    script_heads: _Rows[AnimScriptHeads]
    scripts: _Rows[AnimScripts]
    signature: int
    sources: _Rows[AnimSource]
    tail: _Text
    time: int
    version: Union[str, int]

class AnimBase(_Part):
    path: _Text
    time: int

class AnimDefinitions(_Part):
    activ_prereq_min: int
    activ_prereqs: _Rows[AnimDefinitionsActivPrereqs]
    activ_prereqs_ptr: int
    activation: Union[str, int]
    anim_id: int
    anim_name: _Text
    anim_ptr: int
    anim_refs: _Rows[AnimDefinitionsAnimRefs]
    anim_refs_ptr: int
    anim_root_id: int
    anim_root_name: _Text
    anim_root_ptr: int
    clock: float
    cur_health: float
    damage_seq_ptr: int
    damage_sequence: AnimDefinitionsDamageSequence
    dynamic_sounds: _Rows[AnimLight]
    dynamic_sounds_ptr: int
    effects: _Rows[AnimEffect]
    effects_ptr: int
    exec_range_max: float
    exec_range_min: float
    execution_priority: int
    flags: Union[str, int]
    lights: _Rows[AnimLight]
    lights_ptr: int
    max_health: float
    name: _Text
    next_ptr: int
    node_path: _Rows[AnimPathNode]
    node_path_count: int
    node_path_ptr: int
    nodes: _Rows[Union[AnimNode40, AnimNode44, AnimNodeById]]
    nodes_ptr: int
    objects: _Rows[Union[AnimObject96, AnimObject92, AnimObjectById]]
    objects_ptr: int
    pad: int
    pad_10f: int
    puffers: _Rows[AnimPuffer]
    puffers_ptr: int
    reset_sequence: AnimDefinitionsResetSequence
    reset_size: int
    reset_state: AnimSequenceHeader
    reset_state_ptr: int
    reset_time: float
    run_time: _Array
    script_ids: _Array
    script_ids_ptr: int
    seq_defs_ptr: int
    sequences: _Rows[AnimDefinitionsSequences]
    static_sounds: _Rows[Union[AnimStaticSound36, AnimStaticSound40]]
    static_sounds_ptr: int
    status: Union[str, int]
    two: int
    unk_10c: int
    unk_b4: int
    velocity: _Array

class AnimDefinitionsActivPrereqs(_Part):
    kind: Union[str, int]
    name: _Text
    node_ptr: int
    optional: int
    state: Union[str, int]
    target_ptrs: _Array
    unk_08: str

class AnimDefinitionsAnimRefs(_Part):
    anim_ptr: int
    kind: Union[str, int]
    local_name: _Text
    name: _Text

class AnimDefinitionsDamageSequence(_Part):
    current_event_ptr: int
    event_clock: float
    events: _Rows[AnimDefinitionsDamageSequenceEvents]
    events_ptr: int
    loop_clock: float
    loop_passes: int
    name: _Text
    pad_22: int
    pad_32: int
    reset_state: Union[str, int]
    seq_state: Union[str, int]
    sequence_clock: float
    size: int

class AnimDefinitionsDamageSequenceEvents(_Part):
    event_type: Union[str, int]
    pad: int
    payload: AnimDefinitionsDamageSequenceEventsPayload
    size: int
    start_offset: Union[str, int]
    start_time: float

class AnimDefinitionsDamageSequenceEventsPayload(_Part):
    run_time: float
    unk_00: str

class AnimLight(_Part):
    flags: int
    in_world: int
    name: _Text
    node_ptr: int

class AnimEffect(_Part):
    index: int
    name: _Text

class AnimPathNode(_Part):
    name: _Text
    node: int

class AnimNode40(_Part):
    name: _Text
    node_ptr: int
    zero: int

class AnimNode44(_Part):
    flags: int
    name: _Text
    node: int
    root_idx: int
    zero: int

class AnimNodeById(_Part):
    flags: int
    name: _Text
    node: int
    root_idx: int
    zero: int

class AnimObject96(_Part):
    matrix_in_use: int
    name: _Text
    node_active: int
    node_ptr: int
    transform: _Array
    zero: int

class AnimObject92(_Part):
    flags: int
    name: _Text
    node: int
    root_idx: int
    transform: _Array
    zero: int

class AnimObjectById(_Part):
    flags: int
    name: _Text
    node: int
    root_idx: int
    transform: _Array
    zero: int

class AnimPuffer(_Part):
    flags: int
    in_world: int
    name: _Text
    puffer_ptr: int
    unk_20: _Array

class AnimDefinitionsResetSequence(_Part):
    current_event_ptr: int
    event_clock: float
    events: _Rows[AnimDefinitionsResetSequenceEvents]
    events_ptr: int
    loop_clock: float
    loop_passes: int
    name: _Text
    pad_22: int
    pad_32: int
    reset_state: Union[str, int]
    rest: _Text
    seq_state: Union[str, int]
    sequence_clock: float
    size: int

class AnimDefinitionsResetSequenceEvents(_Part):
    event_type: Union[str, int]
    pad: int
    payload: Union[AnimDefinitionsResetSequenceEventsPayload, _Text]
    size: int
    start_offset: Union[str, int]
    start_time: float
    undecoded: bool

class AnimDefinitionsResetSequenceEventsPayload(_Part):
    acceleration: _Array
    acceleration_run_time: _Array
    active_state: int
    alpha_delta: float
    alpha_from: float
    alpha_to: float
    altitude: _Array
    ambient: float
    ambient_color: _Array
    anim_ref: int
    animation: _Text
    at_node: Union[_Text, str, int]
    bicolored: int
    blue_delta: float
    blue_from: float
    blue_to: float
    bounce_sequence: _Text
    bounce_sequence_index: int
    bounce_sequence_lava: _Text
    bounce_sequence_lava_index: int
    bounce_sequence_water: _Text
    bounce_sequence_water_index: int
    bounce_sound: Union[_Text, int]
    bounce_sound_lava: int
    bounce_sound_lava_velocity: float
    bounce_sound_velocity: float
    bounce_sound_water: int
    bounce_sound_water_velocity: float
    child: Union[_Text, str, int]
    clip_far: float
    clip_far_delta: float
    clip_far_from: float
    clip_far_to: float
    clip_near: float
    clip_near_delta: float
    clip_near_from: float
    clip_near_to: float
    color: _Array
    color_delta: _Array
    color_run_time: _Array
    colors: _Rows[AnimPufferColor]
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
    effect: Union[_Text, int]
    fade_range: _Array
    flags: Union[str, int]
    fog_type: Union[str, int]
    forward_rotation: float
    forward_rotation_delta: float
    forward_rotation_run_time: float
    frame_count: int
    frame_index: int
    frames: _Rows[AnimDefinitionsResetSequenceEventsPayloadFrames]
    friction: float
    from_node: Union[_Text, str, int]
    from_position: _Array
    from_state: int
    from_t_delta: float
    from_t_end: float
    from_t_run_time: float
    from_t_start: float
    gravity: float
    green_delta: float
    green_from: float
    green_to: float
    growth: _Rows[AnimPufferGrowth]
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
    launch_acceleration: _Array
    launch_azimuth: _Array
    launch_direction: _Array
    launch_elevation: _Array
    launch_speed: _Array
    lifetime: _Array
    light: int
    light_type: Union[str, int]
    lightmap: int
    local_velocity: _Array
    lod_multiplier: float
    lod_multiplier_delta: float
    lod_multiplier_from: float
    lod_multiplier_to: float
    max_length: float
    max_random_velocity: _Array
    message: int
    min_random_velocity: _Array
    morph: float
    morph_delta: float
    morph_from: float
    morph_to: float
    name: _Text
    near_fade: _Array
    node: Union[_Text, str, int]
    number: int
    on: int
    opacity: float
    opacity_given: int
    operand_node: Union[_Text, str, int]
    orientation: _Array
    pad: int
    parent: Union[_Text, str, int]
    passes: int
    position: _Array
    priority: float
    puffer: int
    range: _Array
    range_delta: _Array
    range_run_time: _Array
    red_delta: float
    red_from: float
    red_to: float
    relative: int
    reset: int
    rotate_delta: _Array
    rotate_from: _Array
    rotate_to: _Array
    rotation: _Array
    run_time: float
    saturated: int
    save_index: Union[_Text, int]
    scale: _Array
    scale_delta: _Array
    scale_from: _Array
    scale_run_time: _Array
    scale_to: _Array
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
    scripts: _Rows[AnimScriptOfList]
    second: Union[int, float]
    sequence: _Text
    sequence_index: int
    size: _Array
    slot: int
    start_age: _Array
    state: int
    static_sound: Union[_Text, int]
    subdivide: int
    textures: _Rows[AnimPufferTexture]
    textures_have_times: int
    to: float
    to_node: Union[_Text, str, int]
    to_position: _Array
    to_state: int
    to_t_delta: float
    to_t_end: float
    to_t_run_time: float
    to_t_start: float
    translate: _Array
    translate_delta: _Array
    translate_from: _Array
    translate_to: _Array
    translation: _Array
    unk_00: str
    unk_04: int
    unk_08: float
    unk_0c: _Array
    v_fov: float
    v_fov_delta: float
    v_fov_from: float
    v_fov_to: float
    v_zoom: float
    v_zoom_delta: float
    v_zoom_from: float
    v_zoom_to: float
    value: Union[float, int]
    velocity: _Array
    velocity_run_time: _Array
    wait: Union[_Text, int]
    weapon: _Text
    wind_factor: float
    world_acceleration: _Array
    world_radius_from: float
    world_radius_to: float
    world_velocity: _Array
    xyz_rotation: _Array
    xyz_rotation_delta: _Array
    xyz_rotation_run_time: _Array
    zero: int

class AnimPufferColor(_Part):
    alpha: float
    color: _Array
    time: float

class AnimDefinitionsResetSequenceEventsPayloadFrames(_Part):
    end_time: float
    flags: Union[str, int]
    rotate: AnimDefinitionsResetSequenceEventsPayloadFramesRotate
    scale: AnimDefinitionsResetSequenceEventsPayloadFramesScale
    start_time: float
    translate: AnimDefinitionsResetSequenceEventsPayloadFramesTranslate

class AnimDefinitionsResetSequenceEventsPayloadFramesRotate(_Part):
    base: _Array
    delta: _Array
    spline: _Array

class AnimDefinitionsResetSequenceEventsPayloadFramesScale(_Part):
    base: _Array
    delta: _Array
    leftover: int
    spline: _Array

class AnimDefinitionsResetSequenceEventsPayloadFramesTranslate(_Part):
    base: _Array
    delta: _Array
    leftover: int
    spline: _Array

class AnimPufferGrowth(_Part):
    age: float
    scale: float

class AnimScriptOfList(_Part):
    event_type: int
    pad: int
    script: AnimListedScript
    size: int
    start_offset: int
    start_time: float

class AnimListedScript(_Part):
    node: Union[_Text, str, int]
    slot: int
    unk_0c: _Array
    zero: int

class AnimPufferTexture(_Part):
    name: _Text
    time: float

class AnimSequenceHeader(_Part):
    current_event_ptr: int
    event_clock: float
    events_ptr: int
    loop_clock: float
    loop_passes: int
    name: _Text
    pad_22: int
    pad_32: int
    reset_state: Union[str, int]
    seq_state: Union[str, int]
    sequence_clock: float

class AnimDefinitionsSequences(_Part):
    current_event_ptr: int
    event_clock: float
    events: _Rows[AnimDefinitionsSequencesEvents]
    events_ptr: int
    loop_clock: float
    loop_passes: int
    name: _Text
    pad_22: int
    pad_32: int
    reset_state: Union[str, int]
    rest: _Text
    seq_state: Union[str, int]
    sequence_clock: float
    size: int

class AnimDefinitionsSequencesEvents(_Part):
    event_type: Union[str, int]
    pad: int
    payload: Union[AnimDefinitionsSequencesEventsPayload, _Text]
    size: int
    start_offset: Union[str, int]
    start_time: float
    undecoded: bool

class AnimDefinitionsSequencesEventsPayload(_Part):
    acceleration: _Array
    acceleration_run_time: _Array
    active_state: int
    alpha_delta: float
    alpha_from: float
    alpha_to: float
    altitude: _Array
    ambient: float
    ambient_color: _Array
    anim_ref: int
    animation: _Text
    at_node: Union[_Text, str, int]
    bicolored: int
    blue_delta: float
    blue_from: float
    blue_to: float
    bounce_sequence: _Text
    bounce_sequence_index: int
    bounce_sequence_lava: _Text
    bounce_sequence_lava_index: int
    bounce_sequence_water: _Text
    bounce_sequence_water_index: int
    bounce_sound: Union[_Text, int]
    bounce_sound_lava: int
    bounce_sound_lava_velocity: float
    bounce_sound_velocity: float
    bounce_sound_water: int
    bounce_sound_water_velocity: float
    child: Union[_Text, str, int]
    clip_far: float
    clip_far_delta: float
    clip_far_from: float
    clip_far_to: float
    clip_near: float
    clip_near_delta: float
    clip_near_from: float
    clip_near_to: float
    color: _Array
    color_delta: _Array
    color_run_time: _Array
    colors: _Rows[AnimPufferColor]
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
    effect: Union[_Text, int]
    fade_range: _Array
    flags: Union[str, int]
    fog_type: Union[str, int]
    forward_rotation: float
    forward_rotation_delta: float
    forward_rotation_run_time: float
    frame_count: int
    frame_index: int
    frames: _Rows[AnimDefinitionsSequencesEventsPayloadFrames]
    friction: float
    from_node: Union[_Text, str, int]
    from_position: _Array
    from_state: int
    from_t_delta: float
    from_t_end: float
    from_t_run_time: float
    from_t_start: float
    gravity: float
    green_delta: float
    green_from: float
    green_to: float
    growth: _Rows[AnimPufferGrowth]
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
    launch_acceleration: _Array
    launch_azimuth: _Array
    launch_direction: _Array
    launch_elevation: _Array
    launch_speed: _Array
    lifetime: _Array
    light: int
    light_type: Union[str, int]
    lightmap: int
    local_velocity: _Array
    lod_multiplier: float
    lod_multiplier_delta: float
    lod_multiplier_from: float
    lod_multiplier_to: float
    max_length: float
    max_random_velocity: _Array
    message: int
    min_random_velocity: _Array
    morph: float
    morph_delta: float
    morph_from: float
    morph_to: float
    name: _Text
    near_fade: _Array
    node: Union[_Text, str, int]
    number: int
    on: int
    opacity: float
    opacity_given: int
    operand_node: Union[_Text, str, int]
    orientation: _Array
    pad: int
    parent: Union[_Text, str, int]
    passes: int
    position: _Array
    priority: float
    puffer: int
    range: _Array
    range_delta: _Array
    range_run_time: _Array
    red_delta: float
    red_from: float
    red_to: float
    relative: int
    reset: int
    rotate_delta: _Array
    rotate_from: _Array
    rotate_to: _Array
    rotation: _Array
    run_time: float
    saturated: int
    save_index: Union[_Text, int]
    scale: _Array
    scale_delta: _Array
    scale_from: _Array
    scale_run_time: _Array
    scale_to: _Array
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
    scripts: _Rows[AnimScriptOfList]
    second: Union[int, float]
    sequence: _Text
    sequence_index: int
    size: _Array
    slot: int
    start_age: _Array
    state: int
    static_sound: Union[_Text, int]
    subdivide: int
    textures: _Rows[AnimPufferTexture]
    textures_have_times: int
    to: float
    to_node: Union[_Text, str, int]
    to_position: _Array
    to_state: int
    to_t_delta: float
    to_t_end: float
    to_t_run_time: float
    to_t_start: float
    translate: _Array
    translate_delta: _Array
    translate_from: _Array
    translate_to: _Array
    translation: _Array
    unk_00: str
    unk_04: int
    unk_08: float
    unk_0c: _Array
    v_fov: float
    v_fov_delta: float
    v_fov_from: float
    v_fov_to: float
    v_zoom: float
    v_zoom_delta: float
    v_zoom_from: float
    v_zoom_to: float
    value: Union[float, int]
    velocity: _Array
    velocity_run_time: _Array
    wait: Union[_Text, int]
    weapon: _Text
    wind_factor: float
    world_acceleration: _Array
    world_radius_from: float
    world_radius_to: float
    world_velocity: _Array
    xyz_rotation: _Array
    xyz_rotation_delta: _Array
    xyz_rotation_run_time: _Array
    zero: int

class AnimDefinitionsSequencesEventsPayloadFrames(_Part):
    end_time: float
    flags: Union[str, int]
    rotate: AnimDefinitionsSequencesEventsPayloadFramesRotate
    scale: AnimDefinitionsSequencesEventsPayloadFramesScale
    start_time: float
    translate: AnimDefinitionsSequencesEventsPayloadFramesTranslate

class AnimDefinitionsSequencesEventsPayloadFramesRotate(_Part):
    base: _Array
    delta: _Array
    spline: _Array

class AnimDefinitionsSequencesEventsPayloadFramesScale(_Part):
    base: _Array
    delta: _Array
    leftover: int
    spline: _Array

class AnimDefinitionsSequencesEventsPayloadFramesTranslate(_Part):
    base: _Array
    delta: _Array
    leftover: int
    spline: _Array

class AnimStaticSound36(_Part):
    name: _Text
    sample_ptr: int

class AnimStaticSound40(_Part):
    name: _Text

class AnimInfo(_Part):
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
    player_position: _Array
    script_count: int
    scripts_ptr: int
    unk: int
    unk_34: int
    unk_3c: int
    unk_40: Union[int, _Array]
    world_ptr: int

class AnimMessage(_Part):
    id: int
    key: _Text

class AnimScriptHeads(_Part):
    frame_count: int
    object_name_ptr: int
    pad: int
    script_data_ptr: int
    script_name_ptr: int
    spline_interp: int

class AnimScripts(_Part):
    data: _Text
    frames: _Rows[AnimScriptsFrames]
    object_name: _Text
    script_name: _Text

class AnimScriptsFrames(_Part):
    end_time: float
    flags: Union[str, int]
    rotate: AnimScriptsFramesRotate
    scale: AnimScriptsFramesScale
    start_time: float
    translate: AnimScriptsFramesTranslate

class AnimScriptsFramesRotate(_Part):
    base: _Array
    delta: _Array
    spline: _Array

class AnimScriptsFramesScale(_Part):
    base: _Array
    delta: _Array
    leftover: int
    spline: _Array

class AnimScriptsFramesTranslate(_Part):
    base: _Array
    delta: _Array
    leftover: int
    spline: _Array

class AnimSource(_Part):
    path: _Text
    time: int


class Annotations(_Entry):
    annotations: _Rows[AnnotationsAnnotation]

class AnnotationsAnnotation(_Part):
    kind: int
    polygon: int
    text: _Text
    x: int
    y: int


class Applesingle(_Model):
    directory: _Rows[ApplesingleDirectory]
    entry_count: int
    filler: _Array
    magic: Union[str, int]
    pieces: _Rows[ApplesinglePieces]
    trailing: _Text
    version: int

class ApplesingleDirectory(_Part):
    id: Union[str, int]
    kind: _Text
    length: int
    offset: int

class ApplesinglePieces(_Part):
    gap: _Text
    item: int


class Archive(_Model):
    checksum: int
    content: _Text
    count: int
    lengths_are_one: bool
    pieces: _Rows[ArchivePieces]
    trailing: _Text
    version: int

class ArchiveEntries(_Part):
    comment: _Text
    flags: Union[str, int]
    kind: _Text
    length: int
    name: _Text
    start: int
    time: _Text

class ArchivePieces(_Part):
    gap: _Text
    item: int
    overlap: ArchivePiecesOverlap
    own: _Text

class ArchivePiecesOverlap(_Part):
    back: int
    item: int
    laid: int
    shared: int


class Arsenals(_Entry):
    arsenals: _Rows[ArsenalsArsenal]

class ArsenalsArsenal(_Part):
    current: int
    desired: int
    shell_casings: _Rows[ArsenalsShellCasingState]
    weapons: _Rows[ArsenalsSavedWeapon]

class ArsenalsShellCasingState(_Part):
    flags: int
    frame: int
    kind: Union[str, int]
    vx: float
    vy: float
    x: float
    y: float

class ArsenalsSavedWeapon(_Part):
    flags: int
    kind: int
    triggers: _Rows[ArsenalsSavedTrigger]
    unused: str

class ArsenalsSavedTrigger(_Part):
    hits: int
    phase: int
    rounds: int
    sequence: int
    shots: int
    state: int
    ticks_firing: int
    ticks_since_shot: int


class Avi(_AnyModel): ...


class Bif(_Model):
    entry_count: int
    fixed_count: int
    magic: _Text
    object_id: _Text
    table_offset: int
    trailing: _Text

class BifEntries(_Part):
    compression: int
    id: int
    kind: _Text
    kind_of_resource: Union[str, int]
    offset: int
    size: int
    uncompressed_size: int


class Binary2da(_Model):
    columns: _Text
    data: _Text
    data_size: int
    labels: _Text
    magic: _Text
    offsets: _Array
    row_count: int
    zero: int


class Bm(_Model):
    base: _Text
    height: int
    mask_1: _Text
    mask_2: _Text
    mask_3: _Text
    overlay: _Text
    width: int


class Collection(_Entry):
    bitmap_count: int
    bitmap_table: int
    bitmaps: _Rows[CollectionBitmaps]
    collection_type: Union[str, int]
    color_table_count: int
    color_tables: int
    colors: _Rows[CollectionColor]
    colors_per_table: int
    flags: int
    frame_count: int
    frame_table: int
    frames: _Rows[CollectionFrames]
    has_size: bool
    pieces: _Rows[CollectionPieces]
    pixels_to_world: int
    sequence_count: int
    sequence_table: int
    sequences: _Rows[CollectionSequences]
    size: int
    total_size: int
    unused: _Array
    version: int

class CollectionBitmaps(_Part):
    bit_depth: int
    bytes_per_row: int
    flags: Union[str, int]
    height: int
    offset: int
    palette_crc32: _Text
    picture: _Text
    pixels: _Text
    row_addresses: _Array
    stored: _Rows[CollectionBitmapsStored]
    trailing: _Text
    unused: _Array
    width: int

class CollectionBitmapsStored(_Part):
    pixels: _Array
    row: int

class CollectionColor(_Part):
    blue: int
    flags: Union[str, int]
    green: int
    red: int
    value: int

class CollectionFrames(_Part):
    bitmap: int
    flags: Union[str, int]
    key_point: _Array
    minimum_light: float
    offset: int
    origin: _Array
    unused: _Array
    world_bottom: int
    world_key_point: _Array
    world_left: int
    world_right: int
    world_top: int

class CollectionPieces(_Part):
    gap: _Text
    item: int
    overlap: CollectionPiecesOverlap
    own: _Text

class CollectionPiecesOverlap(_Part):
    back: int
    item: int
    laid: int
    shared: int

class CollectionSequences(_Part):
    first_frame_sound: Union[int, str]
    flags: int
    frames: _Array
    frames_per_view: int
    key_frame: int
    key_frame_sound: Union[int, str]
    lacks_spare: bool
    last_frame_sound: Union[int, str]
    loop_frame: int
    name: _Text
    offset: int
    pixels_to_world: int
    sequence_type: int
    spare_frame: int
    ticks_per_frame: int
    transfer_mode: Union[str, int]
    transfer_mode_period: int
    unused: _Array
    view_type: Union[str, int]


class ColorTable(_Entry):
    colors: _Rows[ColorTableColor]
    flags: Union[str, int]
    last_color: int
    seed: int
    trailing: _Text

class ColorTableColor(_Part):
    blue: int
    green: int
    red: int
    value: int


class Colors(_Entry):
    colors: _Rows[ColorsRgb]
    last_color: int
    unk_02: _Array

class ColorsRgb(_Part):
    blue: int
    green: int
    red: int


class Compressed(_Entry):
    algorithm: int
    data: _Text
    magic: _Text
    uncompressed_size: int
    version: int


class Computers(_Entry):
    computers: _Rows[ComputersComputer]

class ComputersComputer(_Part):
    completion: int
    flags: int
    group: int
    last_action_flags: int
    line: int
    maximum_line: int
    phase: int
    state: int
    terminal: int


class Directory(_Entry):
    after_names: _Text
    entry_count: int
    names: _Rows[DirectoryNames]
    names_length: int
    records: _Rows[DirectoryRecords]

class DirectoryNames(_Part):
    name: _Text

class DirectoryRecords(_Part):
    decoded_size: int
    flags: Union[str, int]
    item: int
    name_length: int
    name_offset: int
    start: int
    stored_size: int


class EarlyInformation(_Entry):
    entry_point_flags: Union[str, int]
    environment: int
    environment_flags: Union[str, int]
    landscape: int
    level_name: _Text
    mission_flags: Union[str, int]
    physics_model: int
    unused: str


class EarlyLights(_Entry):
    early_lights: _Rows[EarlyLightsEarlyLight]

class EarlyLightsEarlyLight(_Part):
    flags: int
    intensity: float
    kind: Union[str, int]
    maximum_intensity: float
    minimum_intensity: float
    mode: Union[str, int]
    period: int
    phase: int
    unused: str


class EarlyObjects(_Entry):
    objects: _Rows[EarlyObjectsEarlyObject]

class EarlyObjectsEarlyObject(_Part):
    facing: int
    flags: Union[str, int]
    group: Union[str, int]
    index: int
    polygon: int
    x: int
    y: int
    z: int


class EarlyPolygons(_Entry):
    early_polygons: _Rows[EarlyPolygonsEarlyPolygon]

class EarlyPolygonsEarlyPolygon(_Part):
    adjacent_polygons: _Array
    ambient_sound: int
    area: int
    ceiling_height: int
    ceiling_light: int
    ceiling_origin: _Array
    ceiling_texture: Union[_Text, int]
    ceiling_transfer_mode: Union[str, int]
    center: _Array
    endpoints: _Array
    first_exclusion_zone: int
    first_neighbor: int
    first_object: int
    first_sound_source: int
    flags: Union[str, int]
    floor_height: int
    floor_light: int
    floor_origin: _Array
    floor_texture: Union[_Text, int]
    floor_transfer_mode: Union[str, int]
    kind: Union[str, int]
    line_exclusion_count: int
    lines: _Array
    media: int
    media_light: int
    neighbor_count: int
    permutation: int
    point_exclusion_count: int
    random_sound: int
    sides: _Array
    unused: int
    vertex_count: int


class EarlySides(_Entry):
    early_sides: _Rows[EarlySidesEarlySide]

class EarlySidesEarlySide(_Part):
    ambient_delta: float
    control_panel: int
    exclusion_zone: _Array
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

class EarlySidesEarlyTexture(_Part):
    shape: Union[_Text, int]
    x: int
    y: int


class Effects(_Entry):
    effects: _Rows[EffectsEffect]

class EffectsEffect(_Part):
    collection: Union[_Text, int]
    delay: int
    delay_sound: Union[str, int]
    flags: Union[str, int]
    shape: int
    sound_pitch: float


class Endpoints(_Entry):
    endpoints: _Rows[EndpointsEndpoint]

class EndpointsEndpoint(_Part):
    flags: Union[str, int]
    highest_adjacent_floor: int
    lowest_adjacent_ceiling: int
    supporting_polygon: int
    transformed: _Array
    x: int
    y: int


class Entry(_Entry):
    chunks: _Rows[EntryChunks]

class EntryChunks(_Part):
    gap: _Text
    kind: _Text
    length: int
    next: int
    patch_offset: int
    tag: _Text


class Erf(_Model):
    before_resources: _Text
    build_day: int
    build_year: int
    description_count: int
    description_strref: int
    descriptions: _Rows[ErfDescriptions]
    descriptions_offset: int
    descriptions_size: int
    entry_count: int
    has_slack: bool
    keys_offset: int
    object_id: _Text
    pieces: _Rows[ErfPieces]
    reserved: _Array
    resources_offset: int
    slack: _Array
    trailing: _Text
    version: _Text

class ErfDescriptions(_Part):
    language: int
    text: _Text

class ErfEntries(_Part):
    compression: int
    id: int
    kind: _Text
    kind_of_resource: Union[str, int]
    name: _Text
    offset: int
    sha1: _Array
    size: int
    uncompressed_size: int
    unused: int

class ErfPieces(_Part):
    item: int


class Film(_Model):
    extension: FilmExtension
    game: FilmGameInformation
    length: int
    level: int
    map_checksum: int
    player_count: int
    players: _Rows[FilmPlayerStart]
    runs: _Rows[FilmActionRun]
    saved_game: FilmSavedGame
    trailing: _Text
    version: Union[str, int]

class FilmExtension(_Part):
    length: int
    purpose: Union[str, int]

class FilmGameInformation(_Part):
    difficulty: Union[str, int]
    kill_limit: int
    kind: Union[str, int]
    options: Union[str, int]
    parameters: _Array
    random_seed: int
    time_remaining: int

class FilmPlayerStart(_Part):
    color: int
    identifier: Union[_Text, int]
    name: _Text
    team: int

class FilmActionRun(_Part):
    count: int
    flags: Union[_Text, int]

class FilmSavedGame(_Part):
    kind: _Text


class FinderInformation(_Entry):
    creator: _Text
    extended: str
    file_type: _Text
    flags: int
    folder: int
    icon: _Array


class FlatWad(_Entry):
    chunks: _Rows[FlatWadChunks]
    head: FlatWadHead
    length: int
    magic: int

class FlatWadChunks(_Part):
    gap: _Text
    kind: _Text
    length: int
    next: int
    patch_offset: int
    tag: _Text

class FlatWadHead(_Part):
    application_data_size: int
    checksum: int
    chunk_header_size: int
    data_version: Union[str, int]
    directory_offset: int
    entry_count: int
    name: _Text
    parent_checksum: int
    slot_size: int
    unused: str
    version: Union[str, int]


class Gamez(_Model):
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
    textures: _Rows[GamezTextures]
    textures_offset: int
    timestamp: int
    trailing: _Text
    version: int

class GamezMaterials(_Part):
    array_size: int
    array_size_is_used: bool
    cycles: _Rows[GamezMaterialsCycles]
    free: _Rows[GamezMaterialsFree]
    free_head: int
    slots: _Rows[GamezMaterialsSlots]
    used: int
    used_head: int

class GamezMaterialsCycles(_Part):
    capacity: int
    current_index: float
    frame_count: int
    frames: _Rows[GamezFrame]
    frames_ptr: int
    looping: int
    speed: float
    tick: int

class GamezFrame(_Part):
    texture_index: Union[_Text, int]

class GamezMaterialsFree(_Part):
    alpha: int
    flags: Union[str, int]
    next: int
    prev: int
    unused: _Array

class GamezMaterialsSlots(_Part):
    alpha: int
    color: _Array
    cycle_ptr: int
    flags: Union[str, int]
    next: int
    prev: int
    rgb: int
    soil: Union[str, int]
    texture_index: Union[_Text, int]
    unk_14: float
    unk_18: float
    unk_1c: float

class GamezModels(_Part):
    array_size: int
    free: _Rows[Union[GamezFreeModelRc, GamezFreeModelMw, GamezFreeModelPm]]
    free_head: int
    slots: _Rows[GamezModelsSlots]
    used: int

class GamezFreeModelRc(_Part):
    next_free: int
    unused: _Array

class GamezFreeModelMw(_Part):
    next_free: int
    unused: _Array

class GamezFreeModelPm(_Part):
    next_free: int
    unused: _Array

class GamezModelsSlots(_Part):
    active_polygon_index: int
    bbox_diag: float
    bbox_mid: _Array
    data_offset: int
    facade_mode: Union[str, int]
    flags: Union[str, int]
    light_count: int
    lights: _Rows[GamezModelsSlotsLights]
    lights_ptr: int
    material_ref_count: int
    material_refs: _Rows[GamezModelsSlotsMaterialRefs]
    material_refs_ptr: int
    model_type: Union[str, int]
    morph_count: int
    morph_factor: float
    morphs: _Array
    morphs_ptr: int
    next_free: int
    normal_count: int
    normals: _Array
    normals_ptr: int
    parent_count: int
    polygon_count: int
    polygons: _Rows[GamezModelsSlotsPolygons]
    polygons_ptr: int
    tex_scroll_frame: int
    tex_scroll_u: float
    tex_scroll_v: float
    vertex_count: int
    vertices: _Array
    vertices_ptr: int

class GamezModelsSlotsLights(_Part):
    behavior: int
    color: _Array
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
    vertices: _Array
    vertices_ptr: int

class GamezModelsSlotsMaterialRefs(_Part):
    material_index: int
    polygon_ptr: int
    usages: int

class GamezModelsSlotsPolygons(_Part):
    colors: _Array
    flags: Union[str, int]
    material_count: int
    material_index: int
    materials: _Array
    materials_ptr: int
    matl_refs_ptr: int
    normal_indices_ptr: int
    normals: _Array
    priority: int
    uvs: _Array
    uvs_ptr: int
    vertex_colors_ptr: int
    vertex_indices_ptr: int
    vertices: _Array
    zone_set: GamezZones

class GamezZones(_Part):
    length: int
    zones: _Array

class GamezNodes(_Part):
    data_offsets: bool
    free: _Rows[Union[GamezFreeNodeRc, GamezFreeNodeRcDemo, GamezFreeNodeMw]]
    slots: _Rows[GamezNodesSlots]

class GamezFreeNodeRc(_Part):
    model_index: int
    next_free: int
    unused: _Array
    unused_too: _Array

class GamezFreeNodeRcDemo(_Part):
    model_index: int
    next_free: int
    unused: _Array
    unused_too: _Array

class GamezFreeNodeMw(_Part):
    model_index: int
    next_free: int
    unused: _Array
    unused_too: _Array

class GamezNodesSlots(_Part):
    action_callback: int
    action_priority: int
    activation_ptr: int
    active_bbox: Union[str, int]
    area_partition_x: int
    area_partition_z: int
    bbox_diag: float
    bbox_mid: _Array
    camera: GamezNodesSlotsCamera
    child_array_ptr: int
    child_array_size: int
    child_bbox: _Array
    children: _Array
    corners: _Array
    data_offset: int
    data_ptr: int
    display: GamezNodesSlotsDisplay
    environment_data: int
    flags: Union[str, int]
    light: GamezNodesSlotsLight
    link: int
    lod: GamezNodesSlotsLod
    model_bbox: _Array
    model_index: int
    name: _Text
    next_free: int
    node_bbox: _Array
    object: GamezNodesSlotsObject
    ownership: Union[_Text, int]
    parent_array_ptr: int
    parent_array_size: int
    parents: _Array
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

class GamezNodesSlotsCamera(_Part):
    ancestor_matrix: _Array
    clip_far: float
    clip_near: float
    clip_points: _Array
    clip_recalc: int
    flags: int
    focus_node_xy: int
    focus_node_xz: int
    fov_base: _Array
    fov_cot: _Array
    fov_half: _Array
    fov_recalc: int
    fov_scale: _Array
    fov_scaled: _Array
    lod_mul_inv_sq: float
    lod_multiplier: float
    rotate: _Array
    rotate_recalc: int
    translate: _Array
    translate_matrix: _Array
    unk_13c: _Array
    unk_188: _Array
    unk_1d0: int
    unk_1dc: int
    unk_fc: _Array
    view_vector: _Array
    window_index: int
    world_index: int
    world_rotate: _Array
    world_translate: _Array
    zone_set: int
    zone_set_valid: int

class GamezNodesSlotsDisplay(_Part):
    clear_color: _Array
    origin_x: int
    origin_y: int
    resolution_x: int
    resolution_y: int

class GamezNodesSlotsLight(_Part):
    ambient: float
    ambient_mixed: _Array
    attached: _Array
    attached_count: int
    attached_ptr: int
    camera_view_vector: _Array
    color: _Array
    color_ambient: _Array
    combined: _Array
    diffuse: float
    diffuse_mixed: _Array
    directed_source: int
    directional: int
    flags: Union[str, int]
    orientation: _Array
    point_source: int
    range_far: float
    range_far_sq: float
    range_inv: float
    range_near: float
    range_near_sq: float
    recalc: int
    saturated: int
    transform: _Array
    translate: _Array
    unk_04: int
    unk_c8: int
    vectors: _Array
    world: _Array
    world_view_vector: _Array

class GamezNodesSlotsLod(_Part):
    active: int
    fade: _Array
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

class GamezNodesSlotsObject(_Part):
    color: _Array
    color_alpha: float
    flags: Union[str, int]
    opacity: float
    rotate: _Array
    scale: _Array
    transform: _Array
    translate: _Array
    world_matrix: _Array

class GamezNodesSlotsSound(_Part):
    attached: _Array
    attached_count: int
    attached_ptr: int
    falloff_mode: int
    flags: int
    handle: int
    name: _Text
    position: _Array
    range_far: float
    range_far_sq: float
    range_inv: float
    range_near: float
    sample_ptr: int
    unk_48: str
    world_position: _Array

class GamezNodesSlotsWindow(_Part):
    buffer_index: int
    buffer_ptr: int
    clear_polygon_count: int
    clear_polygons: _Array
    depth: int
    height: int
    origin_x: int
    origin_y: int
    resolution_x: int
    resolution_y: int
    width: int

class GamezNodesSlotsWorld(_Part):
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
    cell_half: _Array
    cell_inverse: _Array
    cell_size: _Array
    cells: _Rows[GamezNodesSlotsWorldCells]
    flags: Union[str, int]
    fog_altitude: _Array
    fog_color: _Array
    fog_density: float
    fog_range: _Array
    fog_type: Union[str, int]
    grid_ptr: int
    inclusion_tolerance: _Array
    light_count: int
    lights: _Array
    lights_ptr: _Array
    max_dec_features: int
    pending_update_capacity: int
    pending_update_count: int
    pending_update_ptr: int
    radius_bias: float
    scale: _Array
    sound_count: int
    sounds: _Array
    sounds_ptr: _Array
    unk_last: int
    virtual_partition: int
    x_count: int
    x_max: int
    x_min: int
    z_count: int
    z_max: int
    z_min: int

class GamezNodesSlotsWorldCells(_Part):
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
    nodes: _Rows[Union[int, GamezCellNode]]
    nodes_ptr: int
    unk_38: int
    unk_40: _Array
    x: float
    z: float

class GamezCellNode(_Part):
    max_y: float
    min_y: float
    node: int

class GamezTextures(_Part):
    category: int
    image_ptr: int
    mip_index: int
    name: _Text
    state: Union[str, int]
    surface_ptr: int
    unk_04: int


class Gff(_AnyModel): ...


class Image(_Entry):
    addressing: Union[str, int]
    alpha_picture: _Text
    flags: Union[str, int]
    height: int
    palette: _Array
    palette_count: int
    palette_crc32: _Text
    picture: _Text
    pixels: _Text
    width: int
    zero08: int


class Indices(_Entry):
    indices: _Array
    rest: _Text


class Information(_Entry):
    entry_point_flags: Union[str, int]
    environment: Union[str, int]
    environment_flags: Union[str, int]
    landscape: Union[float, _Text]
    level_name: _Text
    mission_flags: Union[str, int]
    physics_model: int
    unused: str


class Interp(_Model):
    count: int
    index: _Rows[InterpIndex]
    pieces: _Rows[InterpPieces]
    signature: int
    trailing: _Text
    version: int

class InterpIndex(_Part):
    kind: _Text
    offset: int
    path: _Text
    time: int

class InterpPieces(_Part):
    gap: _Text
    item: int
    overlap: InterpPiecesOverlap
    own: _Text

class InterpPiecesOverlap(_Part):
    back: int
    item: int
    laid: int
    shared: int


class Key(_Model):
    before_keys: _Text
    build_day: int
    build_year: int
    enhanced_keys: _Rows[KeyEnhancedResource]
    file_count: int
    files: _Rows[KeyFiles]
    files_offset: int
    key_count: int
    keys: _Rows[KeyResource]
    keys_offset: int
    leftover: str
    magic: _Text
    trailing: _Text

class KeyEnhancedResource(_Part):
    id: int
    kind_of_resource: Union[str, int]
    name: _Text
    sha1: _Array

class KeyFiles(_Part):
    drives: int
    file_size: int
    name_offset: int
    name_size: int
    path: _Text

class KeyResource(_Part):
    id: int
    kind_of_resource: Union[str, int]
    name: _Text


class Keys(_Entry):
    keys: _Rows[KeysKeys]
    lead: _Text
    pairs: _Rows[KeysPair]
    tail: _Text

class KeysKeys(_Part):
    id: int
    nul: int
    padding: _Array
    text: _Text

class KeysPair(_Part):
    address: int
    id: int


class Lights(_Entry):
    lights: _Rows[LightsLight]

class LightsLight(_Part):
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
    unused: _Array

class LightsPulse(_Part):
    delta_intensity: float
    delta_period: int
    function: Union[str, int]
    intensity: float
    period: int


class Lines(_Entry):
    lines: _Rows[LinesLine]
    rest: _Text

class LinesLine(_Part):
    clockwise_polygon: int
    clockwise_side: int
    counterclockwise_polygon: int
    counterclockwise_side: int
    endpoints: _Array
    flags: Union[str, int]
    highest_adjacent_floor: int
    length: int
    lowest_adjacent_ceiling: int
    unused: str


class Liquids(_Entry):
    liquids: _Rows[LiquidsLiquid]

class LiquidsLiquid(_Part):
    current_direction: int
    current_magnitude: int
    flags: Union[str, int]
    height: int
    high: int
    kind: Union[str, int]
    light: int
    low: int
    minimum_light_intensity: float
    origin: _Array
    texture: Union[_Text, int]
    transfer_mode: Union[str, int]
    unused: _Array


class Ltr(_Model):
    double: _Array
    letters: int
    magic: _Text
    single: _Array
    triple: _Array


class Macbinary(_Model):
    comment: _Text
    comment_is_padded: bool
    comment_length: int
    comment_padding: _Array
    crc: int
    created: int
    creator: _Text
    data: MacbinaryData
    data_length: int
    data_padding: _Array
    extended_finder_flags: int
    file_type: _Text
    finder_flags_high: int
    finder_flags_low: int
    folder: int
    icon: _Array
    modified: int
    name: _Text
    name_script: int
    old_version: int
    protected: int
    reserved: int
    resource: MacbinaryResource
    resource_length: int
    resource_padding: _Array
    second_header: _Text
    second_header_length: int
    signature: _Text
    trailing: _Text
    unpacked_length: int
    unused: _Array
    version: int
    version_needed: int
    zero74: int
    zero82: int

class MacbinaryData(_Part):
    kind: _Text

class MacbinaryResource(_Part):
    kind: _Text


class Mdl(_Model):
    animation_scale: float
    animations: _Rows[MdlAnimations]
    animations_allocated: int
    animations_at: int
    animations_used: int
    at_cursor: _Text
    box_max: _Array
    box_min: _Array
    child_models: int
    classification: Union[str, int]
    fog: int
    functions: _Array
    inherited: int
    model_size: int
    name: _Text
    nodes: int
    order: _Rows[MdlOrder]
    radius: float
    raw: _Rows[MdlRaw]
    raw_size: int
    references: int
    root: Any
    root_at: int
    super_model: _Text
    super_model_address: int
    trailing: _Text
    unk_50: _Array
    unk_5c: _Array
    unk_6d: str
    unk_70: int
    unk_71: int
    zero: int

class MdlAnimations(_Part):
    animation_root: _Text
    events: _Rows[MdlEvent]
    events_allocated: int
    events_at: int
    events_used: int
    functions: _Array
    inherited: int
    kind: Union[str, int]
    length: float
    name: _Text
    nodes: int
    references: int
    root: Any
    root_at: int
    transition: float
    unk_50: _Array
    unk_5c: _Array
    unk_6d: str

class MdlEvent(_Part):
    name: _Text
    time: float

class MdlOrder(_Part):
    aabb: MdlOrderAabb
    animation_root: _Text
    animation_scale: float
    animations_allocated: int
    animations_at: int
    animations_used: int
    bones: _Array
    box_max: _Array
    box_min: _Array
    child_models: int
    child_nodes: int
    children_allocated: int
    children_at: int
    children_used: int
    classification: Union[str, int]
    colors: _Array
    constants: _Array
    constraints: _Array
    coordinates: _Array
    dangly: MdlOrderDangly
    data: _Array
    data_allocated: int
    data_at: int
    data_used: int
    events: _Rows[MdlEvent]
    events_allocated: int
    events_at: int
    events_used: int
    face: int
    faces: _Rows[MdlFace]
    flags: Union[str, int]
    flare_positions: _Array
    flare_shifts: _Array
    flare_sizes: _Array
    fog: int
    functions: _Array
    gap: _Text
    geometry: int
    index_lists: int
    inherit_color: int
    keys: _Rows[Union[MdlKey, MdlMeshKey, MdlLightKey]]
    keys_allocated: int
    keys_at: int
    keys_used: int
    kind: Union[str, int]
    left_at: int
    length: float
    light: MdlOrderLight
    live: bool
    map: _Array
    max: _Array
    mesh: MdlOrderMesh
    min: _Array
    name: _Text
    nodes: int
    normals: _Array
    of: MdlOrderOf
    parent: int
    part_number: int
    parts: _Text
    plane: int
    radius: float
    references: int
    right_at: int
    root_at: int
    rotations: _Array
    shared: bool
    skin: MdlOrderSkin
    slots: _Array
    stray: _Text
    super_model: _Text
    super_model_address: int
    transition: float
    translations: _Array
    unk_50: _Array
    unk_5c: _Array
    unk_6d: str
    unk_70: int
    unk_71: int
    vertices: _Rows[Union[int, _Array]]
    weights: _Array

class MdlOrderAabb(_Part):
    root_at: int

class MdlOrderDangly(_Part):
    constraints_allocated: int
    constraints_at: int
    constraints_used: int
    displacement: float
    period: float
    tightness: float

class MdlFace(_Part):
    adjacent: _Array
    distance: float
    normal: _Array
    surface: int
    vertices: _Array

class MdlKey(_Part):
    columns: int
    data_index: int
    kind: Union[str, int]
    rows: int
    time_index: int
    unk_0b: str

class MdlMeshKey(_Part):
    columns: int
    data_index: int
    kind: Union[str, int]
    rows: int
    time_index: int
    unk_0b: str

class MdlLightKey(_Part):
    columns: int
    data_index: int
    kind: Union[str, int]
    rows: int
    time_index: int
    unk_0b: str

class MdlOrderLight(_Part):
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
    unk_74: _Array

class MdlOrderMesh(_Part):
    ambient: _Array
    area: float
    average: _Array
    beaming: int
    box_max: _Array
    box_min: _Array
    colors_at: int
    coordinates_at: _Array
    diffuse: _Array
    faces_allocated: int
    faces_at: int
    faces_used: int
    functions: _Array
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
    specular: _Array
    streams_at: _Array
    texture_count: int
    textures: _Rows[_Text]
    tile_fade: int
    transparency_hint: int
    triangle_mode: Union[str, int]
    unk_17c: _Array
    unk_188: _Array
    unk_1ac: int
    unk_1b0: int
    unk_1b5: str
    unk_1b8: int
    unk_1f6: str
    unk_1fc: int
    unk_74: int
    vertices_at: int
    vertices_used: int

class MdlOrderOf(_Part):
    item: int
    node: int
    part: _Text
    tree: int

class MdlOrderSkin(_Part):
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
    unk_00: _Array
    weights_at: int

class MdlRaw(_Part):
    bitangent_signs: _Array
    colors: _Array
    coordinates: _Array
    coordinates_1: _Array
    coordinates_2: _Array
    coordinates_3: _Array
    lists: _Rows[MdlRawLists]
    node: _Text
    normals: _Array
    slots: _Array
    tangents: _Array
    vertices: _Array
    weights: _Array

class MdlRawLists(_Part):
    stray: int
    vertices: _Array


class Mech27(_Entry):
    nodes: _Rows[Mech27Nodes]

class Mech27Nodes(_Part):
    action_callback: int
    action_priority: int
    activation_ptr: int
    area_partition_x: int
    area_partition_z: int
    bbox_diag: float
    bbox_mid: _Array
    child_array_ptr: int
    child_array_size: int
    child_bbox: _Array
    children: int
    data_ptr: int
    environment_data: int
    flags: Union[str, int]
    model: Mech27NodesModel
    model_bbox: _Array
    model_index: int
    name: _Text
    node_bbox: _Array
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

class Mech27NodesModel(_Part):
    active_polygon_index: int
    bbox_diag: float
    bbox_mid: _Array
    facade_mode: Union[str, int]
    flags: Union[str, int]
    light_count: int
    lights: _Rows[Mech27NodesModelLights]
    lights_ptr: int
    model_type: Union[str, int]
    morph_count: int
    morph_factor: float
    morphs: _Array
    morphs_ptr: int
    normal_count: int
    normals: _Array
    normals_ptr: int
    parent_count: int
    polygon_count: int
    polygons: _Rows[Mech27NodesModelPolygons]
    polygons_ptr: int
    tex_scroll_frame: int
    tex_scroll_u: float
    tex_scroll_v: float
    vertex_count: int
    vertices: _Array
    vertices_ptr: int

class Mech27NodesModelLights(_Part):
    behavior: int
    color: _Array
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
    vertices: _Array
    vertices_ptr: int

class Mech27NodesModelPolygons(_Part):
    colors: _Array
    flags: Union[str, int]
    material_index: int
    matl_refs_ptr: int
    normal_indices_ptr: int
    normals: _Array
    priority: int
    uvs: _Array
    uvs_ptr: int
    vertex_colors_ptr: int
    vertex_indices_ptr: int
    vertices: _Array
    zone_set: Mech27Zones

class Mech27Zones(_Part):
    length: int
    zones: _Array

class Mech27NodesObject(_Part):
    color: _Array
    color_alpha: float
    flags: Union[str, int]
    opacity: float
    rotate: _Array
    scale: _Array
    transform: _Array
    world_matrix: _Array


class Mech41(_Entry):
    nodes: _Rows[Mech41Nodes]

class Mech41Nodes(_Part):
    action_callback: int
    action_priority: int
    activation_ptr: int
    active_bbox: Union[str, int]
    area_partition_x: int
    area_partition_z: int
    bbox_diag: float
    bbox_mid: _Array
    child_array_ptr: int
    child_array_size: int
    child_bbox: _Array
    children: int
    data_ptr: int
    environment_data: int
    flags: Union[str, int]
    lod: Mech41NodesLod
    model: Mech41NodesModel
    model_bbox: _Array
    model_index: int
    name: _Text
    node_bbox: _Array
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

class Mech41NodesLod(_Part):
    active: int
    fade: _Array
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

class Mech41NodesModel(_Part):
    active_polygon_index: int
    bbox_diag: float
    bbox_mid: _Array
    facade_mode: Union[str, int]
    flags: Union[str, int]
    light_count: int
    lights: _Rows[Mech41NodesModelLights]
    lights_ptr: int
    material_ref_count: int
    material_refs: _Rows[Mech41NodesModelMaterialRefs]
    material_refs_ptr: int
    model_type: Union[str, int]
    morph_count: int
    morph_factor: float
    morphs: _Array
    morphs_ptr: int
    normal_count: int
    normals: _Array
    normals_ptr: int
    parent_count: int
    polygon_count: int
    polygons: _Rows[Mech41NodesModelPolygons]
    polygons_ptr: int
    tex_scroll_frame: int
    tex_scroll_u: float
    tex_scroll_v: float
    vertex_count: int
    vertices: _Array
    vertices_ptr: int

class Mech41NodesModelLights(_Part):
    behavior: int
    color: _Array
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
    vertices: _Array
    vertices_ptr: int

class Mech41NodesModelMaterialRefs(_Part):
    material_index: int
    polygon_ptr: int
    usages: int

class Mech41NodesModelPolygons(_Part):
    colors: _Array
    flags: Union[str, int]
    material_count: int
    materials: _Array
    materials_ptr: int
    matl_refs_ptr: int
    normal_indices_ptr: int
    normals: _Array
    priority: int
    uvs: _Array
    uvs_ptr: int
    vertex_colors_ptr: int
    vertex_indices_ptr: int
    vertices: _Array
    zone_set: Mech41Zones

class Mech41Zones(_Part):
    length: int
    zones: _Array

class Mech41NodesObject(_Part):
    color: _Array
    color_alpha: float
    flags: Union[str, int]
    opacity: float
    rotate: _Array
    scale: _Array
    transform: _Array
    world_matrix: _Array


class MechlibFormat(_Entry):
    format: int


class MechlibMaterials(_Entry):
    materials: _Rows[MechlibMaterialsMaterials]

class MechlibMaterialsMaterials(_Part):
    alpha: int
    color: _Array
    cycle_ptr: int
    flags: Union[str, int]
    rgb: int
    soil: Union[str, int]
    texture: _Text
    texture_ptr: int
    unk_14: float
    unk_18: float
    unk_1c: float


class MechlibVersion(_Entry):
    version: int


class Messages(_Model):
    checksummed: bool
    directories: _Rows[MessagesDirectory]
    dos: MessagesDos
    nt: MessagesNt
    optional: MessagesOptional
    optional_rest: _Text
    padding: _Array
    pieces: _Rows[MessagesPieces]
    sections: _Rows[MessagesSections]
    stub: _Text
    trailing: _Text

class MessagesDirectory(_Part):
    address: int
    size: int

class MessagesDos(_Part):
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
    unk_1c: _Array
    unk_28: _Array

class MessagesNt(_Part):
    characteristics: Union[str, int]
    machine: int
    optional_size: int
    section_count: int
    signature: int
    symbol_count: int
    symbol_table: int
    time: int

class MessagesOptional(_Part):
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
    image_version: _Array
    initialized_size: int
    linker: _Array
    loader_flags: int
    magic: int
    section_alignment: int
    stack_commit: int
    stack_reserve: int
    subsystem: int
    subsystem_version: _Array
    system_version: _Array
    uninitialized_size: int
    unk_34: int

class MessagesPieces(_Part):
    gap: _Text
    item: int

class MessagesSections(_Part):
    characteristics: Union[str, int]
    holds: _Text
    kind: _Text
    line_number_count: int
    line_numbers: int
    name: _Text
    raw_pointer: int
    raw_size: int
    relocation_count: int
    relocations: int
    virtual_address: int
    virtual_size: int


class Monsters(_Entry):
    monsters: _Rows[MonstersMonster]

class MonstersMonster(_Part):
    activation_sound: Union[str, int]
    apology_sound: Union[str, int]
    attack_frequency: int
    carried_item: Union[str, int]
    clear_sound: Union[str, int]
    collection: Union[_Text, int]
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

class MonstersAttack(_Part):
    dx: int
    dy: int
    dz: int
    error: int
    projectile: Union[str, int]
    range: int
    repetitions: int
    shape: int

class MonstersDamage(_Part):
    base: int
    flags: Union[str, int]
    kind: Union[str, int]
    random: int
    scale: float


class Motion(_Model):
    frame_count: int
    loop_time: float
    part_count: int
    parts: _Rows[MotionParts]
    trailing: _Text
    unk16: float
    unk20: float
    version: int

class MotionParts(_Part):
    flags: Union[str, int]
    name: _Text
    rotations: _Array
    translations: _Array


class Name(_Entry):
    level_name: _Text


class Ncs(_Model):
    code: _Rows[NcsCode]
    magic: _Text
    marker: int
    rest: _Text
    size: int
    trailing: _Text

class NcsCode(_Part):
    arguments: int
    globals: int
    keep_offset: int
    keep_size: int
    label: _Text
    locals: int
    offset: int
    op: _Text
    operand: int
    routine: int
    size: int
    to: _Text
    value: Union[float, _Text]


class Objects(_Entry):
    objects: _Rows[ObjectsObject]

class ObjectsObject(_Part):
    facing: int
    flags: Union[str, int]
    group: Union[str, int]
    index: Union[float, _Text]
    polygon: int
    x: int
    y: int
    z: int


class Opaque(_Entry):
    ...


class Physics(_Model):
    blocks: _Rows[PhysicsBlocks]

class PhysicsBlocks(_Part):
    address: int
    bytes: _Text
    count: int
    effects: _Rows[PhysicsEarlyEffect]
    monsters: _Rows[PhysicsEarlyMonster]
    players: _Rows[PhysicsEarlyPlayer]
    projectiles: _Rows[PhysicsEarlyProjectile]
    size: int
    tag: _Text
    weapons: _Rows[PhysicsEarlyWeapon]

class PhysicsEarlyEffect(_Part):
    collection: Union[_Text, int]
    flags: Union[str, int]
    shape: int

class PhysicsEarlyMonster(_Part):
    activation_sound: int
    attack_frequency: int
    carried_item: int
    collection: Union[_Text, int]
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

class PhysicsEarlyAttack(_Part):
    dx: int
    dy: int
    dz: int
    error: int
    projectile: int
    range: int
    repetitions: int
    shape: int

class PhysicsDamage(_Part):
    base: int
    flags: Union[str, int]
    kind: Union[str, int]
    random: int
    scale: float

class PhysicsEarlyPlayer(_Part):
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

class PhysicsEarlyProjectile(_Part):
    area_of_effect: int
    collection: Union[_Text, int]
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

class PhysicsEarlyWeapon(_Part):
    await_reload_ticks: int
    bob_amplitude: float
    burst_count: _Array
    charged_shape: int
    charging_shape: int
    charging_sound: int
    charging_ticks: _Array
    click_sound: _Array
    collection: Union[_Text, int]
    firing_light_decay_ticks: int
    firing_light_intensity: float
    firing_shape: int
    firing_sound: _Array
    flags: Union[str, int]
    horizontal_amplitude: float
    idle_height: float
    idle_shape: int
    idle_width: float
    instant_reload_tick: int
    item: int
    kick_height: float
    primary_ammunition: int
    primary_offset: _Array
    primary_rounds: int
    projectile: _Array
    ready_ticks: int
    recoil: _Array
    recovery_ticks: _Array
    reload_height: float
    reloading_shape: int
    reloading_sound: int
    secondary_ammunition: int
    secondary_offset: _Array
    secondary_rounds: int
    shell_casing_sound: _Array
    sound_activation_range: _Array
    theta_error: _Array
    ticks_per_round: _Array
    unused: int


class Picture(_Model):
    frame: PictureRectangle
    is_version_1: bool
    opcodes: _Rows[PictureOpcodes]
    size: int
    trailing: _Text
    version: int
    version_opcode: int
    zeros: _Array

class PictureRectangle(_Part):
    bottom: int
    left: int
    right: int
    top: int

class PictureOpcodes(_Part):
    base_address: int
    bounds: Union[PictureRectangle, _Array]
    color_table: int
    color_table_data: PictureOpcodesColorTableData
    comment: int
    component_count: int
    component_size: int
    data: Union[_Array, _Text]
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
    pad: _Array
    palette_crc32: _Text
    picture: _Text
    pixel_size: int
    pixel_type: Union[str, int]
    pixels: PictureOpcodesPixels
    plane_bytes: int
    region: PictureOpcodesRegion
    reserved: int
    row_bytes: Union[_Text, int]
    row_tails: _Rows[_Text]
    source: PictureRectangle
    vertical_resolution: float
    zero: int

class PictureOpcodesColorTableData(_Part):
    colors: _Rows[PictureColor]
    flags: Union[str, int]
    last_color: int
    seed: int

class PictureColor(_Part):
    blue: int
    green: int
    red: int
    value: int

class PictureOpcodesMask(_Part):
    bounds: PictureRectangle
    lines: _Array
    region_size: int

class PictureOpcodesPixels(_Part):
    packer: _Text
    rows: _Rows[_Text]

class PictureOpcodesRegion(_Part):
    bounds: PictureRectangle
    lines: _Array
    region_size: int


class Placeholder(_Entry):
    zero: int


class Placement(_Entry):
    items: _Rows[PlacementFrequency]
    monsters: _Rows[PlacementFrequency]

class PlacementFrequency(_Part):
    flags: Union[str, int]
    initial_count: int
    maximum: int
    minimum: int
    random_chance: int
    random_count: int


class PlatformPlans(_Entry):
    platform_plans: _Rows[PlatformPlansPlatformPlan]

class PlatformPlansPlatformPlan(_Part):
    delay: int
    flags: Union[str, int]
    kind: Union[str, int]
    maximum_height: int
    minimum_height: int
    polygon: int
    speed: Union[str, int]
    tag: int
    unused: _Array


class Platforms(_Entry):
    platforms: _Rows[PlatformsPlatform]

class PlatformsPlatform(_Part):
    ceiling_height: int
    delay: int
    endpoint_owners: _Rows[PlatformsEndpointOwner]
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

class PlatformsEndpointOwner(_Part):
    first_line: int
    first_polygon: int
    line_count: int
    polygon_count: int


class PlayerPhysics(_Entry):
    player_physics: _Rows[PlayerPhysicsPlayer]

class PlayerPhysicsPlayer(_Part):
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


class Plt(_Model):
    height: int
    layers: int
    magic: _Text
    pixels: _Text
    trailing: _Text
    width: int
    zero: int


class Points(_Entry):
    points: _Rows[PointsPoint]
    rest: _Text

class PointsPoint(_Part):
    x: int
    y: int


class Polygons(_Entry):
    polygons: _Rows[PolygonsPolygon]

class PolygonsPolygon(_Part):
    adjacent_polygons: _Array
    ambient_sound: int
    area: int
    ceiling_height: int
    ceiling_light: int
    ceiling_origin: _Array
    ceiling_texture: Union[_Text, int]
    ceiling_transfer_mode: Union[str, int]
    center: _Array
    endpoints: _Array
    first_exclusion_zone: int
    first_neighbor: int
    first_object: int
    first_sound_source: int
    flags: Union[str, int]
    floor_height: int
    floor_light: int
    floor_origin: _Array
    floor_texture: Union[_Text, int]
    floor_transfer_mode: Union[str, int]
    kind: Union[str, int]
    line_exclusion_count: int
    lines: _Array
    media: int
    media_light: int
    neighbor_count: int
    permutation: int
    point_exclusion_count: int
    random_sound: int
    sides: _Array
    unused: int
    vertex_count: int


class Projectiles(_Entry):
    projectiles: _Rows[ProjectilesProjectile]

class ProjectilesProjectile(_Part):
    area_of_effect: int
    collection: Union[_Text, int]
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

class ProjectilesDamage(_Part):
    base: int
    flags: Union[str, int]
    kind: Union[str, int]
    random: int
    scale: float


class RandomSounds(_Entry):
    random_sounds: _Rows[RandomSoundsRandomSource]

class RandomSoundsRandomSource(_Part):
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
    unused: _Array
    volume: int


class RawPicture(_Entry):
    depth: int
    height: int
    left: int
    pixels: _Text
    top: int
    width: int


class Reader(_Model):
    trailing: _Text
    value: Any


class Resources(_Model):
    application_area: str
    data_length: int
    data_offset: int
    map: ResourcesMap
    map_length: int
    map_offset: int
    pieces: _Rows[ResourcesPieces]
    resources: _Rows[ResourcesResources]
    rest: _Text
    system_area: str
    trailing: _Text
    tree: _Rows[ResourcesTree]
    types: _Rows[ResourcesTypes]

class ResourcesMap(_Part):
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

class ResourcesPieces(_Part):
    gap: _Text
    item: int
    overlap: ResourcesPiecesOverlap
    own: _Text

class ResourcesPiecesOverlap(_Part):
    back: int
    item: int
    laid: int
    shared: int

class ResourcesResources(_Part):
    attributes: Union[str, int]
    bytes: _Text
    code: _Text
    data_offset: _Array
    data_order: int
    gap: _Text
    handle: int
    holds: _Text
    id: int
    kind: _Text
    last: int
    length: int
    loose: bool
    name: _Text
    name_is_shared: bool
    name_offset: int
    name_order: int
    path: _Array
    references: int
    strings: _Rows[Union[ResourcesResourcesStrings, _Text]]
    table: ResourcesResourcesTable
    trailing: _Text
    type: _Text

class ResourcesResourcesStrings(_Part):
    units: _Array

class ResourcesResourcesTable(_Part):
    blocks: _Rows[ResourcesResourcesTableBlocks]
    code_page: _Text
    messages: _Rows[ResourcesResourcesTableMessages]
    pieces: _Rows[ResourcesResourcesTablePieces]
    trailing: _Text

class ResourcesResourcesTableBlocks(_Part):
    high_id: int
    low_id: int
    offset: int

class ResourcesResourcesTableMessages(_Part):
    bare: bool
    cr: int
    flags: int
    id: int
    key: _Text
    length: int
    lf: int
    nul: int
    room: _Array
    text: _Text

class ResourcesResourcesTablePieces(_Part):
    gap: _Text
    item: int
    overlap: ResourcesResourcesTablePiecesOverlap
    own: _Text

class ResourcesResourcesTablePiecesOverlap(_Part):
    back: int
    item: int
    laid: int
    shared: int

class ResourcesTree(_Part):
    address: int
    characteristics: int
    code_page: int
    entries: _Rows[ResourcesDirectoryEntry]
    kind: _Text
    named: int
    numbered: int
    size: int
    time: int
    units: _Array
    unk_0c: int
    version: _Array

class ResourcesDirectoryEntry(_Part):
    id: int
    offset: int

class ResourcesTypes(_Part):
    code: _Text
    count: int
    last: int
    no_references: int
    references: int
    type: _Text


class Rof(_Model):
    entry_count: int
    items: _Rows[RofItems]
    names: _Rows[RofNames]
    names_length: int
    pieces: _Rows[RofPieces]
    records: _Rows[RofRecords]
    trailing: _Text

class RofItems(_Part):
    directory: bool
    kind: _Text

class RofNames(_Part):
    name: _Text

class RofPieces(_Part):
    gap: _Text
    item: int
    overlap: RofPiecesOverlap
    own: _Text

class RofPiecesOverlap(_Part):
    back: int
    item: int
    laid: int
    shared: int

class RofRecords(_Part):
    decoded_size: int
    flags: Union[str, int]
    item: int
    name_length: int
    name_offset: int
    start: int
    stored_size: int


class SaveActivation(_Entry):
    activation_state: int
    command: int
    count: int
    entry_index: int
    name: _Text
    node_index: int
    nodes: _Rows[SaveActivationTrackedNode]
    parameters: _Array
    record_id: int
    unused: int

class SaveActivationTrackedNode(_Part):
    active: int
    flags: int
    node_index: int
    transform: _Array
    user_value: int
    uses_matrix: int


class SaveCrater(_Entry):
    center: _Array
    depth: float
    flags: int
    junk: str
    material_slot: int
    owner: int
    point_count: int
    radius: float
    reload: int
    slope: float


class SaveCrimsonHeader(_Entry):
    categories: Union[str, int]
    format: int
    length: int


class SaveCrimsonPlayerVehicle(_Entry):
    value: int


class SaveCrimsonUiData(_Entry):
    default_save_name: _Text
    memento_image: _Text
    mission_index: int
    missions_completed: int
    money: int
    pilot_name: _Text
    pilot_plane: int
    planes: _Rows[SaveCrimsonUiDataPlane]
    profile_folder: _Text
    results: _Rows[_Rows[SaveCrimsonUiDataMissionResult]]
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

class SaveCrimsonUiDataPlane(_Part):
    airframe: Union[str, int]
    ammunition: _Rows[Union[str, int]]
    armor: _Array
    color_rgb: _Array
    colors: _Array
    decals: _Rows[Union[str, int]]
    gun_families: _Array
    guns: _Rows[Union[str, int]]
    hardpoints: _Array
    name: _Text
    ordnance: _Rows[Union[str, int]]
    owned: int
    paint_pattern: int
    shades: _Array
    unk_30: str
    unk_3c: str
    unk_c8: str

class SaveCrimsonUiDataMissionResult(_Part):
    ace_kills: SaveCrimsonUiDataByAirframe
    airframe: Union[str, int]
    gun_hits: int
    gun_shots: int
    kills: SaveCrimsonUiDataByAirframe
    money: int
    objectives: Union[str, int]
    plane: _Text
    time: int
    unk_24: str

class SaveCrimsonUiDataByAirframe(_Part):
    balmoral: int
    bloodhawk: int
    brigand: int
    devastator: int
    firebrand: int
    fury: int
    hellhound: int
    hoplite: int
    kestrel: int
    peacemaker: int
    unused: int
    warhawk: int


class SaveDummy(_Entry):
    junk: str
    reload: int


class SaveHeader(_Entry):
    format: int
    version: int


class SaveLateMission(_Entry):
    value: int


class SaveMechActivation(_Entry):
    count: int
    name: _Text
    node_index: int
    nodes: _Rows[str]
    ptr: int
    status: Union[str, int]
    unk04: int
    unk86: int
    unk87: int
    values: _Array


class SaveMine(_Entry):
    owner: _Text
    position: _Array
    reset_marker: int
    scale: _Array
    weapon: _Text


class SaveMission(_Entry):
    completed_objective_count: int
    current_objective: int
    difficulty: int
    first_incomplete_objective: int
    flow_deadline: float
    mission_flags: int
    mission_id: int
    objective_flow_state: int
    objectives_completed: _Array
    statistics: _Array
    weapons_found_mask: int


class SavePickup(_Entry):
    amount: int
    first_record: int
    id: int
    position: _Array
    respawn_delay: float
    rotation: _Array
    spawn_param: int


class SavePlayer(_Entry):
    ai_mode: int
    alt_bank: int
    alt_side: int
    amphib_unlocked: int
    auto_turn_sign: int
    bank_input: int
    banks: _Rows[SavePlayerBank]
    camera_position: _Array
    camera_target: _Array
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
    tags: _Array
    target_level: float

class SavePlayerBank(_Part):
    selected_side: int
    sides: _Rows[SavePlayerSide]

class SavePlayerSide(_Part):
    ammo: float
    enabled: int


class SaveQuicksand(_Entry):
    center: _Array
    cycle_material: int
    depth: float
    flags: int
    material: int
    owner: int
    point_count: int
    radius: float
    reload: int
    slope: float


class SaveRunning(_Entry):
    countdown: float
    index: int
    lights: _Rows[SaveRunningLight]
    lights_count: int
    match_root: int
    name: _Text
    node_a: int
    node_b: int
    reserved: int
    root_node: int
    sequences: _Rows[SaveRunningSequences]
    sequences_count: int
    sounds: _Rows[SaveRunningSound]
    sounds_count: int
    state: int
    trigger: float
    unused: str
    vec_a: _Array
    vec_b: _Array
    velocity: _Array

class SaveRunningLight(_Part):
    attached: int
    name: _Text
    parent: int
    position: _Array

class SaveRunningSequences(_Part):
    current_event: int
    elapsed: _Array
    events: _Text
    loop_count: int
    name: _Text
    reset_mode: int
    run_state: int
    stream: int
    stream_size: int
    unused_22: str
    unused_32: str

class SaveRunningSound(_Part):
    attached: int
    has_position: int
    name: _Text
    parent: int
    position: _Array


class SaveTimer(_Entry):
    elapsed: int


class SaveVehicle(_Entry):
    activation_radius_sq: float
    ai_active: int
    ai_net_id: int
    ai_state: int
    alert: int
    attack_radius_sq: float
    dynamic_offset: _Array
    local_master_type: int
    marker: int
    master_type: int
    nanite_level: int
    path_cursor_request: int
    position: _Array
    restore_distance_sq: float
    restore_target: _Array
    return_state: int
    return_steering: int
    rotation: _Array
    saved_state: int
    size: int
    status_scaled: float
    status_value: float
    steering: int
    tick_suppressed: int


class SaveWeapons(_Entry):
    hit_count: int


class SaveWorld(_Entry):
    altitude_high: float
    altitude_low: float
    density: float
    far: float
    fog_color: _Array
    fog_state: int
    near: float


class SavedEffects(_Entry):
    saved_effects: _Rows[SavedEffectsSavedEffect]

class SavedEffectsSavedEffect(_Part):
    data: int
    delay: int
    flags: int
    kind: Union[str, int]
    object: int
    unused: str


class SavedLights(_Entry):
    saved_lights: _Rows[SavedLightsSavedLight]

class SavedLightsSavedLight(_Part):
    final_intensity: float
    flags: int
    initial_intensity: float
    intensity: float
    light: SavedLightsLight
    period: int
    phase: int
    state: int
    unused: str

class SavedLightsLight(_Part):
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
    unused: _Array

class SavedLightsPulse(_Part):
    delta_intensity: float
    delta_period: int
    function: Union[str, int]
    intensity: float
    period: int


class SavedMonsters(_Entry):
    saved_monsters: _Rows[SavedMonstersSavedMonster]

class SavedMonstersSavedMonster(_Part):
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
    sound_location: _Array
    sound_polygon: int
    target: int
    ticks_since_activation: int
    ticks_since_attack: int
    unused: str
    vertical_velocity: int
    vitality: int


class SavedObjects(_Entry):
    saved_objects: _Rows[SavedObjectsSavedObject]

class SavedObjectsSavedObject(_Part):
    facing: int
    flags: int
    next_object: int
    parasitic_object: int
    permutation: int
    polygon: int
    sequence: int
    shape: Union[_Text, int]
    sound_pitch: float
    transfer_mode: Union[str, int]
    transfer_period: int
    transfer_phase: int
    x: int
    y: int
    z: int


class SavedPlayers(_Entry):
    saved_players: _Rows[SavedPlayersSavedPlayer]

class SavedPlayersSavedPlayer(_Part):
    camera: _Array
    camera_polygon: int
    color: int
    control_panel_side: int
    damage_given: SavedPlayersDamageRecord
    damage_given_to_monsters: SavedPlayersDamageRecord
    damage_taken_from_monsters: SavedPlayersDamageRecord
    damage_taken_from_players: _Rows[SavedPlayersDamageRecord]
    elevation: int
    extravision_duration: int
    facing: int
    flags: int
    game_parameters: _Array
    identifier: int
    infravision_duration: int
    interface_decay: int
    interface_flags: int
    interlevel_teleport_phase: int
    invincibility_duration: int
    invisibility_duration: int
    item_counts: _Array
    last_supporting_polygon: int
    location: _Array
    monster: int
    name: _Text
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

class SavedPlayersDamageRecord(_Part):
    damage: int
    kills: int

class SavedPlayersPhysicsState(_Part):
    action: int
    flags: int
    old_flags: int
    values: _Array


class SavedProjectiles(_Entry):
    saved_projectiles: _Rows[SavedProjectilesSavedProjectile]

class SavedProjectilesSavedProjectile(_Part):
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


class Script(_Entry):
    lines: _Rows[ScriptLines]

class ScriptLines(_Part):
    size: int
    tokens: int
    words: _Text


class Scripts(_Entry):
    rest: _Text
    scripts: _Rows[ScriptsScripts]

class ScriptsScripts(_Part):
    flags: int
    length: int
    name: _Text
    text: _Text


class SeenLines(_Entry):
    seen_lines: _Array


class SeenPolygons(_Entry):
    seen_polygons: _Array


class Set(_AnyModel): ...


class Shapes(_Model):
    pieces: _Rows[ShapesPieces]
    slots: _Rows[ShapesSlots]
    trailing: _Text

class ShapesCollection1(_Part):
    kind: _Text

class ShapesCollection1Deep(_Part):
    kind: _Text

class ShapesCollection2(_Part):
    kind: _Text

class ShapesCollection2Deep(_Part):
    kind: _Text

class ShapesCollection3(_Part):
    kind: _Text

class ShapesPieces(_Part):
    gap: _Text
    item: int
    overlap: ShapesPiecesOverlap
    own: _Text

class ShapesPiecesOverlap(_Part):
    back: int
    item: int
    laid: int
    shared: int

class ShapesSlots(_Part):
    deep_offset: int
    deep_size: int
    flags: int
    offset: int
    size: int
    status: int
    unused: str


class ShapesPatch(_Model):
    blocks: _Rows[ShapesPatchBlocks]

class ShapesPatchBlocks(_Part):
    bit_depth: int
    collection: Union[_Text, int]
    end: _Text
    items: _Rows[ShapesPatchBlocksItems]

class ShapesPatchBlocksItems(_Part):
    bitmaps: _Rows[ShapesPatchBlocksItemsBitmaps]
    colors: _Rows[ShapesPatchBlocksItemsColors]
    definition: ShapesPatchBlocksItemsDefinition
    frames: _Rows[ShapesPatchFrameItem]
    sequences: _Rows[ShapesPatchBlocksItemsSequences]

class ShapesPatchBlocksItemsBitmaps(_Part):
    bit_depth: int
    bytes_per_row: int
    flags: Union[str, int]
    height: int
    index: int
    palette_crc32: _Text
    picture: _Text
    size: int
    tag: _Text
    trailing: _Text
    unused: _Array
    width: int

class ShapesPatchBlocksItemsColors(_Part):
    index: int
    table: _Rows[ShapesPatchColor]
    tag: _Text

class ShapesPatchColor(_Part):
    blue: int
    flags: Union[str, int]
    green: int
    red: int
    value: int

class ShapesPatchBlocksItemsDefinition(_Part):
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
    tag: _Text
    unused: _Array
    version: int

class ShapesPatchFrameItem(_Part):
    frame: ShapesPatchFrame
    index: int
    tag: _Text

class ShapesPatchFrame(_Part):
    bitmap: int
    flags: Union[str, int]
    key_point: _Array
    minimum_light: float
    origin: _Array
    unused: _Array
    world_bottom: int
    world_key_point: _Array
    world_left: int
    world_right: int
    world_top: int

class ShapesPatchBlocksItemsSequences(_Part):
    first_frame_sound: Union[str, int]
    flags: int
    frames: _Array
    frames_per_view: int
    index: int
    key_frame: int
    key_frame_sound: Union[str, int]
    last_frame_sound: Union[str, int]
    loop_frame: int
    name: _Text
    pixels_to_world: int
    sequence_type: int
    size: int
    spare_frame: int
    tag: _Text
    ticks_per_frame: int
    transfer_mode: Union[str, int]
    transfer_mode_period: int
    unused: _Array
    view_type: Union[str, int]


class ShortInformation(_Entry):
    entry_point_flags: Union[str, int]
    environment: Union[str, int]
    environment_flags: Union[str, int]
    landscape: Union[float, _Text]
    level_name: _Text
    mission_flags: Union[str, int]
    physics_model: int
    unused: str


class Sides(_Entry):
    sides: _Rows[SidesSide]

class SidesSide(_Part):
    ambient_delta: float
    control_panel: Union[str, int]
    exclusion_zone: _Array
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

class SidesTexture(_Part):
    shape: Union[_Text, int]
    x: int
    y: int


class Sound(_Entry):
    commands: _Rows[SoundCommands]
    data_types: _Rows[SoundDataType]
    format: int
    gap: _Text
    is_silent: bool
    reference_count: int
    sound: SoundSound
    trailing: _Text

class SoundCommands(_Part):
    command: Union[str, int]
    offset: int
    param1: int
    param2: int

class SoundDataType(_Part):
    data_type: Union[str, int]
    init_option: int

class SoundSound(_Part):
    aes_pointer: int
    base_note: int
    channels: int
    encoding: int
    form: _Text
    frames: int
    future: _Array
    instrument_pointer: int
    length: int
    loop_end: int
    loop_start: int
    marker_pointer: int
    rate: float
    rate_extended: _Array
    sample_pointer: int
    sample_size: int
    wave: _Text


class Sounds(_Model):
    definitions: _Rows[SoundsDefinitions]
    is_old: bool
    pieces: _Rows[SoundsPieces]
    sound_count: int
    sounds: _Rows[SoundsSounds]
    source_count: int
    tag: _Text
    trailing: _Text
    unused: str
    version: int

class SoundsDefinitions(_Part):
    behavior: Union[str, int]
    chance: int
    code: int
    flags: Union[str, int]
    group_offset: int
    high_pitch: float
    is_empty: bool
    kind: _Text
    last_played: int
    low_pitch: float
    permutation_offsets: _Array
    permutations: int
    permutations_played: int
    same_as: int
    sample_pointer: int
    sample_pointer_size: int
    single_size: int
    total_size: int

class SoundsPieces(_Part):
    gap: _Text
    item: int
    overlap: SoundsPiecesOverlap
    own: _Text

class SoundsPiecesOverlap(_Part):
    back: int
    item: int
    laid: int
    shared: int

class SoundsSounds(_Part):
    aes_pointer: int
    base_note: int
    channels: int
    compression_id: int
    encoding: int
    form: _Text
    format: _Text
    frames: int
    future: Union[_Array, int]
    instrument_pointer: int
    leftover_pointer: int
    length: int
    loop_end: int
    loop_start: int
    marker_pointer: int
    packet_size: int
    rate: float
    rate_extended: _Array
    sample_pointer: int
    sample_size: int
    state_pointer: int
    synthesizer_id: int
    wave: _Text


class SoundsPatch(_Model):
    items: _Rows[SoundsPatchItems]
    trailing: _Text

class SoundsPatchItems(_Part):
    behavior: Union[str, int]
    chance: int
    code: int
    flags: Union[str, int]
    group_offset: int
    high_pitch: float
    index: Union[str, int]
    kind: _Text
    last_played: int
    low_pitch: float
    permutation_offsets: _Array
    permutations: int
    permutations_played: int
    sample_pointer: int
    sample_pointer_size: int
    single_size: int
    sizes: _Array
    tag: _Text
    total_size: int
    zero04: int


class Ssf(_Model):
    count: int
    magic: _Text
    padding: _Array
    pieces: _Rows[SsfPieces]
    sounds: _Rows[SsfSounds]
    table_offset: int
    texts: _Array
    texts_offset: int

class SsfPieces(_Part):
    item: int
    overlap: SsfPiecesOverlap
    own: _Text

class SsfPiecesOverlap(_Part):
    back: int
    item: int
    laid: int
    shared: int

class SsfSounds(_Part):
    offset: int
    resource: _Text
    strref: int


class String(_Entry):
    text: _Text
    trailing: _Text


class StringList(_Entry):
    string_count: int
    strings: _Rows[StringListStrings]

class StringListStrings(_Part):
    text: _Text


class Targa(_Entry):
    ...


class Terminals(_Entry):
    rest: _Text
    terminals: _Rows[TerminalsTerminals]

class TerminalsTerminals(_Part):
    face_count: int
    faces: _Rows[TerminalsFace]
    flags: Union[str, int]
    group_count: int
    groups: _Rows[TerminalsGroup]
    length: int
    lines_per_page: int
    markup: _Text
    text: _Text

class TerminalsFace(_Part):
    color: Union[str, int]
    face: Union[str, int]
    text_index: int

class TerminalsGroup(_Part):
    flags: Union[str, int]
    kind: Union[str, int]
    maximum_line_count: int
    permutation: int
    text_length: int
    text_start: int


class Text(_Entry):
    text: _Text


class TextModel(_AnyModel): ...


class TextReader(_AnyModel): ...


class Texture(_Model):
    directory: _Rows[TextureDirectory]
    global_palette_count: int
    image_count: int
    in_order: bool
    palettes: _Array
    pieces: _Rows[TexturePieces]
    trailing: _Text
    version: int
    zero00: int
    zero16: int
    zero20: int

class TextureDirectory(_Part):
    kind: _Text
    name: _Text
    palette_index: int
    start: int

class TexturePieces(_Part):
    gap: _Text
    item: int
    overlap: TexturePiecesOverlap
    own: _Text

class TexturePiecesOverlap(_Part):
    back: int
    item: int
    laid: int
    shared: int


class TextureSettings(_Entry):
    ...


class Tlk(_Model):
    __layout: TlkLayout
    blank_offsets: _Text
    count: int
    encoding: _Text
    language: int

class TlkLayout(_Part):
    gap64: _Text
    of: _Text
    offsets64: _Text
    texts64: _Text

class TlkEntries(_Part):
    ...


class Wad(_Model):
    application_data_size: int
    checksum: int
    chunk_header_size: int
    data_version: Union[str, int]
    directory: _Rows[WadDirectory]
    directory_offset: int
    entry_count: int
    name: _Text
    parent_checksum: int
    pieces: _Rows[WadPieces]
    slot_size: int
    trailing: _Text
    unused: str
    version: Union[str, int]

class WadDirectory(_Part):
    application_data: _Text
    index: int
    kind: _Text
    length: int
    level: WadDirectoryLevel
    offset: int

class WadDirectoryLevel(_Part):
    entry_point_flags: Union[str, int]
    environment_flags: Union[str, int]
    level_name: _Text
    mission_flags: Union[str, int]

class WadPieces(_Part):
    gap: _Text
    item: int
    overlap: WadPiecesOverlap
    own: _Text
    table: bool

class WadPiecesOverlap(_Part):
    back: int
    item: int
    laid: int
    shared: int


class Wave(_Model):
    form: _Text
    id: _Text
    riff_size: int


class Weapons(_Entry):
    weapons: _Rows[WeaponsWeapon]

class WeaponsWeapon(_Part):
    await_reload_ticks: int
    bob_amplitude: float
    charged_shape: int
    charging_shape: int
    collection: Union[_Text, int]
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

class WeaponsTrigger(_Part):
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


class Worlds(_Entry):
    worlds: _Rows[WorldsWorld]

class WorldsWorld(_Part):
    ambient_sound_count: int
    beacon: _Array
    casualty_counters: _Array
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
    placement_counters: _Array
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

class WorldsGameInformation(_Part):
    difficulty: Union[str, int]
    kill_limit: int
    kind: Union[str, int]
    options: Union[str, int]
    parameters: _Array
    random_seed: int
    time_remaining: int


class Zlib(_Entry):
    ...


class Zmap(_Model):
    features: _Rows[ZmapFeatures]
    max: _Array
    min: _Array
    trailing: _Text
    unk04: int
    version: int

class ZmapFeatures(_Part):
    color: _Array
    objective: int
    point_count: int
    points: _Array
