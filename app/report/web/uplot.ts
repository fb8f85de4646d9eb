// What the charts use of uPlot, whose script is in the page before this one: assets/third_party/uplot.

export interface UPlot {
  ctx: CanvasRenderingContext2D;
  bbox: { left: number; top: number; width: number; height: number };
  width: number;
  scales: { x: { min?: number | null; max?: number | null } };
  cursor: { idx?: number | null };
  valToPos(value: number, scale: string, canvasPixels: boolean): number;
  setSize(size: { width: number; height: number }): void;
  setScale(scale: string, range: { min: number; max: number }): void;
  redraw(rebuildPaths: boolean, recalcAxes: boolean): void;
}

declare global {
  const uPlot: new (options: object, data: ((number | null)[] | null)[], box: Element) => UPlot;
}
