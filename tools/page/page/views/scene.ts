// A glTF model in 3D.

import {
  AmbientLight,
  AnimationClip,
  AnimationMixer,
  Box3,
  BufferAttribute,
  BufferGeometry,
  ClampToEdgeWrapping,
  Color,
  DataTexture,
  DirectionalLight,
  DoubleSide,
  FrontSide,
  Group,
  LinearSRGBColorSpace,
  type Material,
  Mesh,
  MeshLambertMaterial,
  type Object3D,
  PerspectiveCamera,
  RepeatWrapping,
  Scene as Whole,
  SRGBColorSpace,
  Texture,
  Timer,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { isShortcut } from "../keys";
import { joined, type Merged } from "../merge";

/** Whether the browser draws by software, which is slow at smooth edges. */
let isSoftware: boolean | undefined;

function drawsBySoftware(): boolean {
  if (isSoftware !== undefined) return isSoftware;
  const context = new OffscreenCanvas(1, 1).getContext("webgl2");
  const about = context?.getExtension("WEBGL_debug_renderer_info");
  const name = context && about ? String(context.getParameter(about.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  isSoftware = /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
  return isSoftware;
}

/** From where a model is seen, and what is in the middle. */
export interface View {
  position: Vector3;
  target: Vector3;
}

/** Waits until all is drawn that was asked for so far. */
async function finished(context: WebGL2RenderingContext): Promise<void> {
  const sync = context.fenceSync(context.SYNC_GPU_COMMANDS_COMPLETE, 0);
  context.flush();
  // A context that is lost has none, and draws no more.
  while (sync && !context.isContextLost() && context.getSyncParameter(sync, context.SYNC_STATUS) !== context.SIGNALED)
    await new Promise((resolve) => setTimeout(resolve, 20));
  context.deleteSync(sync);
}

export class Scene {
  readonly animations: string[];
  triangles = 0;
  private frame = 0;
  private timer = new Timer();
  private mixer: AnimationMixer;
  private speed = 1;
  private isDirty = true;
  /** `true` once someone has turned or moved it, or if it began as it was turned before. */
  private isTurned = false;
  /** `true` once an animation was played. */
  private isPlayed = false;
  private watch: ResizeObserver;
  /** The first picture is there, also if software draws it. */
  readonly shown: Promise<void>;

  private constructor(
    private renderer: WebGLRenderer,
    private camera: PerspectiveCamera,
    private controls: OrbitControls,
    private whole: Whole,
    private model: Object3D,
    private clips: AnimationClip[],
    view: View | undefined,
  ) {
    this.animations = clips.map((clip) => clip.name);
    this.mixer = new AnimationMixer(model);
    model.traverse((it) => {
      if (it instanceof Mesh) {
        const { index, attributes } = it.geometry;
        this.triangles += (index ? index.count : (attributes.position?.count ?? 0)) / 3;
      }
    });
    let isHeld = false;
    controls.addEventListener("start", () => {
      isHeld = true;
    });
    controls.addEventListener("end", () => {
      isHeld = false;
    });
    controls.addEventListener("change", () => {
      this.isDirty = true;
      if (isHeld) this.isTurned = true;
    });
    const canvas = renderer.domElement;
    let [shownWidth, shownHeight] = [0, 0];
    const fit = () => {
      const [width, height] = [Math.max(1, canvas.clientWidth), Math.max(1, canvas.clientHeight)];
      if (width === shownWidth && height === shownHeight) return;
      [shownWidth, shownHeight] = [width, height];
      renderer.setSize(width, height, false);
      camera.aspect = width / height;
      camera.updateProjectionMatrix();
      this.isDirty = true;
    };
    fit();
    this.watch = new ResizeObserver(fit);
    this.watch.observe(canvas);
    canvas.addEventListener("keydown", this.onKey);
    this.home(view);
    // Software draws a coarse picture first, and a sharp one once nothing moves.
    const [isSlow, sharp] = [drawsBySoftware(), renderer.getPixelRatio()];
    let coarseAt: number | undefined;
    const render = (ratio: number) => {
      if (renderer.getPixelRatio() !== ratio) renderer.setPixelRatio(ratio);
      renderer.render(whole, camera);
    };
    const draw = () => {
      this.frame = requestAnimationFrame(draw);
      this.timer.update();
      controls.update();
      if (this.speed > 0 && clips.length > 0) {
        this.mixer.update(this.timer.getDelta() * this.speed);
        this.isDirty = true;
      }
      if (this.isDirty) {
        this.isDirty = false;
        render(isSlow ? sharp / 2 : sharp);
        coarseAt = isSlow ? performance.now() : undefined;
      } else if (coarseAt !== undefined && performance.now() - coarseAt > 250) {
        coarseAt = undefined;
        render(sharp);
      }
    };
    draw();
    this.shown = finished(renderer.getContext() as WebGL2RenderingContext);
  }

  /** Shows a model: in parts if it does not move, else as the file has it. */
  static async of(canvas: HTMLCanvasElement, file: Uint8Array | undefined, parts: Merged | undefined, view?: View): Promise<Scene> {
    const loaded = parts ? undefined : await new GLTFLoader().parseAsync(file!.slice().buffer as ArrayBuffer, "");
    const isSlow = drawsBySoftware();
    const renderer = new WebGLRenderer({ canvas, antialias: !isSlow, preserveDrawingBuffer: true });
    renderer.setPixelRatio(isSlow ? 1 : Math.min(2, devicePixelRatio));
    const still = parts && stillOf(parts);
    const gltf = loaded ?? { scene: still!.model, animations: [] };
    const whole = new Whole();
    whole.background = new Color(matchMedia("(prefers-color-scheme: dark)").matches ? 0x1b1f27 : 0xdfe5ee);
    whole.add(gltf.scene, new AmbientLight(0xffffff, 1.8));
    const sun = new DirectionalLight(0xffffff, 1.6);
    sun.position.set(0.5, 1, 0.8);
    whole.add(sun);
    const camera = new PerspectiveCamera(50, 1, 0.01, 1e6);
    const controls = new OrbitControls(camera, canvas);
    const scene = new Scene(renderer, camera, controls, whole, gltf.scene, gltf.animations, view);
    void still?.paint(() => {
      scene.isDirty = true;
    });
    return scene;
  }

  /** From where it is seen, if someone has turned it. */
  get view(): View | undefined {
    return this.isTurned ? { position: this.camera.position.clone(), target: this.controls.target.clone() } : undefined;
  }

  /** Shows all of the model, or as much of it as is seen from somewhere. */
  home(view?: View): void {
    const box = new Box3().setFromObject(this.model);
    const center = box.isEmpty() ? new Vector3() : box.getCenter(new Vector3());
    const size = Math.max(1e-3, box.isEmpty() ? 1 : box.getSize(new Vector3()).length());
    this.camera.near = size / 1000;
    this.camera.far = size * 20;
    this.camera.position.copy(center).add(new Vector3(0.55, 0.5, 0.85).normalize().multiplyScalar(size * 0.95));
    this.controls.target.copy(center);
    if (view) {
      this.camera.position.copy(view.position);
      this.controls.target.copy(view.target);
    }
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.isTurned = view !== undefined;
    this.isDirty = true;
  }

  /** Plays an animation at a speed; 0 stops it where it is. */
  play(index: number, speed: number): void {
    this.speed = speed;
    const clip = this.clips[index];
    if (!clip) return;
    const action = this.mixer.clipAction(clip);
    if (!action.isRunning()) {
      this.mixer.stopAllAction();
      action.reset().play();
      this.mixer.update(0);
      // An animation can move the model as a whole. The first one is played after each edit, which takes no view away.
      this.home(this.isPlayed ? undefined : this.view);
      this.isPlayed = true;
    }
    this.isDirty = true;
  }

  wires(isOn: boolean): void {
    this.model.traverse((it) => {
      if (!(it instanceof Mesh)) return;
      const all: Material[] = Array.isArray(it.material) ? it.material : [it.material];
      for (const material of all) if ("wireframe" in material) material.wireframe = isOn;
    });
    this.isDirty = true;
  }

  private onKey = (event: KeyboardEvent) => {
    if (isShortcut(event)) return;
    const offset = this.camera.position.clone().sub(this.controls.target);
    const axis = new Vector3(0, 1, 0);
    const side = new Vector3().crossVectors(axis, offset).normalize();
    switch (event.key) {
      case "ArrowLeft":
        offset.applyAxisAngle(axis, -0.1);
        break;
      case "ArrowRight":
        offset.applyAxisAngle(axis, 0.1);
        break;
      case "ArrowUp":
        offset.applyAxisAngle(side, -0.1);
        break;
      case "ArrowDown":
        offset.applyAxisAngle(side, 0.1);
        break;
      case "+":
      case "=":
        offset.multiplyScalar(0.85);
        break;
      case "-":
        offset.multiplyScalar(1.18);
        break;
      default:
        return;
    }
    event.preventDefault();
    this.camera.position.copy(this.controls.target).add(offset);
    this.isTurned = true;
    this.isDirty = true;
  };

  end(): void {
    cancelAnimationFrame(this.frame);
    this.watch.disconnect();
    this.renderer.domElement.removeEventListener("keydown", this.onKey);
    this.controls.dispose();
    this.whole.traverse((it) => {
      if (!(it instanceof Mesh)) return;
      it.geometry.dispose();
      const all: Material[] = Array.isArray(it.material) ? it.material : [it.material];
      for (const material of all) {
        for (const value of Object.values(material)) if (value?.isTexture) value.dispose();
        material.dispose();
      }
    });
    this.renderer.dispose();
  }
}

/** A gray image, until that of a material is there: a material without any would have to be compiled again. */
function blank(): DataTexture {
  const texture = new DataTexture(Uint8Array.of(170, 170, 170, 255), 1, 1);
  texture.colorSpace = SRGBColorSpace;
  texture.needsUpdate = true;
  return texture;
}

/** Returns a model that does not move, and what paints it. */
function stillOf({ parts, surfaces, images }: Merged): { model: Group; paint(painted: () => void): Promise<void> } {
  const model = new Group();
  const waiting: { image: number; isClamped: [boolean, boolean]; material: MeshLambertMaterial }[] = [];
  const gray = blank();
  for (const part of joined(parts, surfaces)) {
    const geometry = new BufferGeometry();
    const set = (name: string, list: Float32Array, size: number) => {
      if (list.length > 0) geometry.setAttribute(name, new BufferAttribute(list, size));
    };
    set("position", part.positions, 3);
    set("normal", part.normals, 3);
    set("uv", part.coordinates, 2);
    set("color", part.colors, 4);
    geometry.setIndex(new BufferAttribute(part.indices, 1));
    const { mode, image, isClamped, isTwoSided } = part.surface;
    const [red, green, blue, opacity] = part.surface.color;
    const material = new MeshLambertMaterial({
      color: new Color().setRGB(red, green, blue, LinearSRGBColorSpace),
      opacity,
      vertexColors: part.colors.length > 0,
      side: isTwoSided ? DoubleSide : FrontSide,
      flatShading: part.normals.length === 0,
      transparent: mode === "BLEND",
      depthWrite: mode !== "BLEND",
      alphaTest: mode === "MASK" ? 0.5 : 0,
    });
    if (image >= 0) {
      material.map = gray;
      // An image that is still to come covers nothing.
      waiting.push({ image, isClamped, material });
    }
    const mesh = new Mesh(geometry, material);
    // A part is all over the model, so that some of it is always in view.
    mesh.frustumCulled = false;
    model.add(mesh);
  }
  const paint = async (painted: () => void) => {
    const textures = new Map<string, Promise<Texture>>();
    const jobs = waiting.map(async ({ image, isClamped, material }) => {
      const key = `${image} ${isClamped}`;
      const texture = textures.get(key) ?? textureOf(images[image]!, isClamped);
      textures.set(key, texture);
      // An image that the browser cannot decode leaves its parts gray.
      const map = await texture.catch(() => undefined);
      if (map) material.map = map;
      painted();
    });
    await Promise.all(jobs);
  };
  return { model, paint };
}

async function textureOf(png: Uint8Array, [u, v]: [boolean, boolean]): Promise<Texture> {
  const blob = new Blob([png as BlobPart], { type: "image/png" });
  const bitmap = await createImageBitmap(blob, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
  const texture = new Texture(bitmap);
  texture.flipY = false;
  texture.colorSpace = SRGBColorSpace;
  [texture.wrapS, texture.wrapT] = [u, v].map((isClamped) => (isClamped ? ClampToEdgeWrapping : RepeatWrapping)) as [1000, 1000];
  texture.needsUpdate = true;
  return texture;
}
