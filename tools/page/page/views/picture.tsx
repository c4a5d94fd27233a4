// An image: zoomed in whole pixels, with its alpha on a pattern, and its palette.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

/** The colors of an indexed PNG. */
function paletteOf(png: Uint8Array): string[] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  for (let at = 8; at + 12 <= png.length;) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    if (type === "IDAT" || length > png.length - at - 12) break;
    if (type === "PLTE") {
      return Array.from({ length: Math.floor(length / 3) }, (_, index) => {
        const [red, green, blue] = png.subarray(at + 8 + index * 3, at + 11 + index * 3);
        return `rgb(${red}, ${green}, ${blue})`;
      });
    }
    at += 12 + length;
  }
  return [];
}

export function Picture({ bytes, name }: { bytes: Uint8Array; name: string }) {
  const url = useMemo(() => URL.createObjectURL(new Blob([bytes as BlobPart], { type: "image/png" })), [bytes]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  const palette = useMemo(() => paletteOf(bytes), [bytes]);
  const [zoom, setZoom] = useState(0);
  const [hasAlpha, setAlpha] = useState(true);
  const [natural, setNatural] = useState<[number, number]>();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (hasAlpha || !natural) return;
    // Without alpha: the colors as they are stored.
    const image = new Image();
    image.src = url;
    void image.decode().then(
      () => {
        const context = canvas.current?.getContext("2d", { willReadFrequently: true });
        if (!context) return;
        context.drawImage(image, 0, 0);
        const data = context.getImageData(0, 0, ...natural);
        for (let at = 3; at < data.data.length; at += 4) data.data[at] = 255;
        context.putImageData(data, 0, 0);
      },
      () => undefined,
    );
  }, [hasAlpha, natural, url]);
  const scale = zoom || (natural ? Math.max(1, Math.min(4, Math.floor(512 / Math.max(...natural)))) : 1);
  const style = natural ? { width: `${natural[0] * scale}px`, height: `${natural[1] * scale}px` } : {};
  return (
    <div class="picture">
      <div class="tools">
        <label>
          Zoom{" "}
          <select value={String(scale)} onChange={(event) => setZoom(Number(event.currentTarget.value))}>
            {[1, 2, 3, 4, 6, 8, 12, 16].map((it) => (
              <option value={String(it)}>{it}×</option>
            ))}
          </select>
        </label>
        <label>
          <input type="checkbox" checked={hasAlpha} onChange={(event) => setAlpha(event.currentTarget.checked)} /> Alpha
        </label>
        {natural && (
          <span class="quiet">
            {natural[0]} × {natural[1]} pixels
          </span>
        )}
      </div>
      <div class="canvas">
        <img
          src={url}
          alt={name}
          style={style}
          hidden={!hasAlpha}
          onLoad={(event) => setNatural([event.currentTarget.naturalWidth, event.currentTarget.naturalHeight])}
        />
        {!hasAlpha && natural && <canvas ref={canvas} width={natural[0]} height={natural[1]} style={style} />}
      </div>
      {palette.length > 0 && (
        <details>
          <summary>Palette of {palette.length} colors</summary>
          <div class="palette">
            {palette.map((color, index) => (
              <span title={`${index}: ${color}`} style={{ backgroundColor: color }} />
            ))}
          </div>
        </details>
      )}
    </div>
  );
}
