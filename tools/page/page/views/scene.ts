// A glTF model in 3D.

import {
  AmbientLight,
  AnimationClip,
  AnimationMixer,
  Box3,
  Color,
  DirectionalLight,
  type Material,
  Mesh,
  type Object3D,
  PerspectiveCamera,
  Scene as Whole,
  Timer,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

export class Scene {
  readonly animations: string[];
  triangles = 0;
  private frame = 0;
  private timer = new Timer();
  private mixer: AnimationMixer;
  private speed = 1;
  private isDirty = true;
  private watch: ResizeObserver;

  private constructor(
    private renderer: WebGLRenderer,
    private camera: PerspectiveCamera,
    private controls: OrbitControls,
    private whole: Whole,
    private model: Object3D,
    private clips: AnimationClip[],
  ) {
    this.animations = clips.map((clip) => clip.name);
    this.mixer = new AnimationMixer(model);
    model.traverse((it) => {
      if (it instanceof Mesh) {
        const { index, attributes } = it.geometry;
        this.triangles += (index ? index.count : (attributes.position?.count ?? 0)) / 3;
      }
    });
    controls.addEventListener("change", () => {
      this.isDirty = true;
    });
    const canvas = renderer.domElement;
    this.watch = new ResizeObserver(() => {
      const [width, height] = [Math.max(1, canvas.clientWidth), Math.max(1, canvas.clientHeight)];
      renderer.setSize(width, height, false);
      camera.aspect = width / height;
      camera.updateProjectionMatrix();
      this.isDirty = true;
    });
    this.watch.observe(canvas);
    canvas.addEventListener("keydown", this.onKey);
    this.home();
    const draw = () => {
      this.frame = requestAnimationFrame(draw);
      this.timer.update();
      controls.update();
      if (this.speed > 0 && clips.length > 0) {
        this.mixer.update(this.timer.getDelta() * this.speed);
        this.isDirty = true;
      }
      if (!this.isDirty) return;
      this.isDirty = false;
      renderer.render(whole, camera);
    };
    draw();
  }

  static async of(canvas: HTMLCanvasElement, file: Uint8Array): Promise<Scene> {
    const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer;
    const gltf = await new GLTFLoader().parseAsync(buffer, "");
    const renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    const whole = new Whole();
    whole.background = new Color(matchMedia("(prefers-color-scheme: dark)").matches ? 0x1b1f27 : 0xdfe5ee);
    whole.add(gltf.scene, new AmbientLight(0xffffff, 1.8));
    const sun = new DirectionalLight(0xffffff, 1.6);
    sun.position.set(0.5, 1, 0.8);
    whole.add(sun);
    const camera = new PerspectiveCamera(50, 1, 0.01, 1e6);
    const controls = new OrbitControls(camera, canvas);
    return new Scene(renderer, camera, controls, whole, gltf.scene, gltf.animations);
  }

  /** Shows all of the model. */
  home(): void {
    const box = new Box3().setFromObject(this.model);
    const center = box.isEmpty() ? new Vector3() : box.getCenter(new Vector3());
    const size = Math.max(1e-3, box.isEmpty() ? 1 : box.getSize(new Vector3()).length());
    this.camera.near = size / 1000;
    this.camera.far = size * 20;
    this.camera.position.copy(center).add(new Vector3(0.55, 0.5, 0.85).normalize().multiplyScalar(size * 0.95));
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(center);
    this.controls.update();
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
      // An animation can move the model as a whole.
      this.mixer.update(0);
      this.home();
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
