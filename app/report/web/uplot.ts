// What the charts use of uPlot, whose script is in the page before this one: assets/third_party/uplot.

export interface UPlot {
  ctx: CanvasRenderingContext2D;
  bbox: { left: number; top: number; width: number; height: number };
  width: number;
  over: HTMLElement;
  scales: { x: { min?: number | null; max?: number | null } };
  cursor: { idx?: number | null };
  valToPos(value: number, scale: string, canvasPixels: boolean): number;
  setSize(size: { width: number; height: number }): void;
  setScale(scale: string, range: { min: number; max: number }): void;
  setCursor(at: { left: number; top: number }, fireHook: boolean, publish: boolean): void;
  setSelect(part: { left: number; top: number; width: number; height: number }, fireHook: boolean): void;
  redraw(rebuildPaths: boolean, recalcAxes: boolean): void;
}

declare global {
  const uPlot: new (options: object, data: ((number | null)[] | null)[], box: Element) => UPlot;
}
