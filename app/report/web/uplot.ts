// What the charts use of uPlot, whose script is in the page before this one: assets/third_party/uplot.

export interface UPlot {
  ctx: CanvasRenderingContext2D;
  bbox: { left: number; top: number; width: number; height: number };
  width: number;
  cursor: { idx?: number | null };
  valToPos(value: number, scale: string, canvasPixels: boolean): number;
  setSize(size: { width: number; height: number }): void;
  redraw(rebuildPaths: boolean, recalcAxes: boolean): void;
}

declare global {
  const uPlot: new (options: object, data: ((number | null)[] | null)[], box: Element) => UPlot;
}
