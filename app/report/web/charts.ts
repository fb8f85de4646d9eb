// The vitals as small multiples with one cursor. uPlot draws lines and axes; captures and the trigger are ours.

import { chartKeys } from './chartkeys';
import type { GcMark, Series, Span, TimelineData } from './data';
import { offset, quantity } from './format';
import { theme } from './theme';
import type { UPlot } from './uplot';

// A Label is the names of captures that begin at about one place.
interface Label { x: number; names: Set<string> }

export const charts = (() => {
  const HEIGHT = 140;
  const LABELS = 14; // height of the row above the plot that names the captures
  const BYTE_INCRS = Array.from({ length: 50 }, (_, i) => 2 ** i);
  const TIME_INCRS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400];
  const SPOKEN = 3; // charts whose values are said at a moment
  const DASHES = [[], [6, 3], [1.5, 3]]; // as in the style sheet: no line is told by its colour alone
  const drawn: { u: UPlot; box: HTMLElement; spoken: () => string }[] = [];
  let times: (number | null)[] = [];
  let brushed: [from: number, to: number] | null = null; // what a reader zoomed all charts to; null: all of it
  let changed = () => {}; // is called when a reader brushes

  // tick writes an axis value short: the heading of the chart says the unit of rates and cores.
  function tick(v: number, unit: string) {
    if (v === 0) return '0';
    return quantity(v, unit).replace(/\/s$|\u00a0cores?$/, '');
  }

  function axes(unit: string) {
    const font = '11px ' + theme.font('sans');
    const common = {
      font, stroke: () => theme.color('muted'),
      grid: { stroke: () => theme.color('line'), width: 1 }, ticks: { show: false },
    };
    return [
      { ...common, incrs: TIME_INCRS, space: 56, size: 22, gap: 4, values: (u: UPlot, vs: number[]) => vs.map(offset) },
      {
        ...common, size: 58, gap: 6, space: 26,
        ...(unit.startsWith('bytes') ? { incrs: BYTE_INCRS } : {}),
        values: (u: UPlot, vs: number[]) => vs.map((v) => tick(v, unit)),
      },
    ];
  }

  // captures shades the spans of the captures and names them above the plot. Of names that would overlap the first
  // stands, with how many more there are.
  function captures(u: UPlot, spans: Span[]) {
    const { ctx } = u;
    const dpr = devicePixelRatio;
    const { left, top, width, height } = u.bbox;
    const labels: Label[] = [];
    const text = (l: Label) => (l.names.size === 1 ? [...l.names][0] : [...l.names][0] + ' +' + (l.names.size - 1));
    ctx.save();
    ctx.font = 10 * dpr + 'px ' + theme.font('sans');
    ctx.textBaseline = 'bottom';
    ctx.textAlign = 'left';
    for (const s of spans) {
      const from = u.valToPos(s.from!, 'x', true);
      const to = Math.max(u.valToPos(s.to!, 'x', true), from + 1.5 * dpr);
      if (to < left || from > left + width) continue;
      const x0 = Math.max(from, left);
      const x1 = Math.min(to, left + width);
      if (s.start) dashed(ctx, x0, top, height);
      else {
        ctx.fillStyle = s.to! > s.from! ? theme.color('span') : theme.color('line-strong');
        ctx.fillRect(x0, top, x1 - x0, height);
      }
      const last = labels[labels.length - 1];
      const names = s.start ? [s.label] : s.label.split(', ');
      if (last && x0 < last.x + ctx.measureText(text(last) + ' +9').width + 6 * dpr) names.forEach((n) => last.names.add(n));
      else labels.push({ x: x0, names: new Set(names) });
    }
    ctx.fillStyle = theme.color('muted');
    for (const l of labels) {
      const x = Math.max(left, Math.min(l.x, left + width - ctx.measureText(text(l)).width));
      ctx.fillText(text(l), x, top - 2 * dpr);
    }
    ctx.restore();
  }

  // dashed is the line of a process's start.
  function dashed(ctx: CanvasRenderingContext2D, x: number, top: number, height: number) {
    const dpr = devicePixelRatio;
    ctx.fillStyle = theme.color('text');
    for (let y = top; y < top + height; y += 7 * dpr) ctx.fillRect(x, y, Math.max(dpr, 1.5), Math.min(4 * dpr, top + height - y));
  }

  // cycles marks at the foot of a chart the times in which GC cycles ended.
  function cycles(u: UPlot, marks: GcMark[]) {
    const dpr = devicePixelRatio;
    const { left, top, width, height } = u.bbox;
    u.ctx.fillStyle = theme.color('muted');
    for (const m of marks) {
      const x0 = Math.max(u.valToPos(m.from!, 'x', true), left);
      const x1 = Math.min(u.valToPos(m.to!, 'x', true), left + width);
      if (x1 > left && x0 < left + width) u.ctx.fillRect(x0, top + height - 4 * dpr, Math.max(x1 - x0 - (x1 - x0 > 4 * dpr ? dpr : 0), dpr), 4 * dpr);
    }
  }

  function trigger(u: UPlot) {
    const x = Math.round(u.valToPos(0, 'x', true));
    const { left, top, width, height } = u.bbox;
    if (x < left || x > left + width) return;
    u.ctx.fillStyle = theme.color('trip');
    u.ctx.fillRect(x, top, Math.max(devicePixelRatio, 1.5), height);
  }

  // readout shows the values under the cursor; without one, those at the trigger.
  function readout(figure: Element, data: TimelineData, series: Series[], unit: string) {
    const cells = figure.querySelectorAll('.sig b');
    let at = data.t!.findLastIndex((t) => t! <= 0);
    if (at < 0) at = 0;
    return (u: UPlot) => {
      const i = u.cursor.idx ?? at;
      series.forEach((s, k) => { cells[k].textContent = quantity(s.v![i], unit); });
    };
  }

  // same compares ranges as uPlot returns them.
  function same(a: typeof brushed, b: typeof brushed) {
    return a === b || !!a && !!b && a.every((t, i) => Math.abs(t - b[i]) <= 1e-6 * (b[1] - b[0]));
  }

  // follow brings all charts to the range of the one that a reader brushed. uPlot also tells of ranges that we set.
  function follow(u: UPlot, scale: string) {
    const { min, max } = u.scales.x;
    if (scale !== 'x' || min == null || max == null) return;
    const to: typeof brushed = min <= times[0]! && max >= times.at(-1)! ? null : [min, max];
    if (same(to, brushed)) return;
    show(to);
    changed();
  }

  // show zooms all charts.
  function show(range: typeof brushed) {
    brushed = range;
    for (const { u } of drawn) zoom(u);
  }

  function zoom(u: UPlot) {
    const [min, max] = brushed ?? [times[0]!, times.at(-1)!];
    u.setScale('x', { min, max });
  }

  function draw(figure: HTMLElement, data: TimelineData) {
    const chart = data.charts![Number(figure.dataset.chart)];
    const box = figure.querySelector<HTMLElement>('.plot')!;
    const shown = readout(figure, data, chart.series!, chart.unit);
    const u = new uPlot({
      width: box.clientWidth, height: HEIGHT, padding: [LABELS, 20, 0, 0],
      legend: { show: false },
      cursor: { sync: { key: 'vitals', filters: { pub: (event: string) => event.startsWith('mousemove') || event === 'mouseleave' } }, y: false, points: { size: 5 }, drag: { x: true, y: false } },
      scales: {
        x: { time: false },
        y: { range: (self: UPlot, min: number | null, max: number | null) => [Math.min(min ?? 0, 0), max! > 0 ? max! * 1.12 : 1] },
      },
      axes: axes(chart.unit),
      series: [{}, ...chart.series!.map((s, k) => ({
        label: s.name, stroke: () => theme.color('s' + Math.min(k, 2)), width: 1.5, points: { show: false }, spanGaps: true,
        dash: DASHES[Math.min(k, 2)],
      }))],
      hooks: {
        drawClear: [(self: UPlot) => captures(self, data.spans ?? [])], draw: [(self: UPlot) => cycles(self, data.gc ?? []), trigger], setCursor: [shown], setScale: [follow],
      },
    }, [data.t, ...chart.series!.map((s) => s.v)], box);
    shown(u);
    const spoken = () => [...figure.querySelectorAll<HTMLElement>('.sig')].map((sig) => sig.textContent!.trim()).join(', ');
    drawn.push({ u, box, spoken });
    if (brushed) zoom(u);
    if (drawn.length === 1) withKeys(box);
  }

  // withKeys makes the first chart take keys, for all of them.
  function withKeys(box: HTMLElement) {
    chartKeys(box, document.getElementById('moment')!, {
      times: times.map(Number), zoom: (range) => { show(range); changed(); },
      range: () => brushed ?? [times[0]!, times.at(-1)!], values: () => drawn.map((d) => d.spoken()).slice(0, SPOKEN).join(', '),
      point: (at, from) => {
        for (const { u } of drawn) {
          const x = u.valToPos(at, 'x', false), x0 = u.valToPos(from, 'x', false);
          u.setCursor({ left: Number.isFinite(x) ? x : -10, top: 10 }, true, false);
          u.setSelect({ left: Math.min(x, x0), top: 0, width: Math.abs(x - x0) || 0, height: u.over.clientHeight }, false);
        }
      },
    });
  }

  function start(data: TimelineData) {
    if (!data.charts?.length) return;
    times = data.t!;
    const todo = new Set(document.querySelectorAll<HTMLElement>('[data-chart]'));
    const visible = new ResizeObserver(() => {
      for (const figure of todo) {
        if (figure.clientWidth > 0) { todo.delete(figure); draw(figure, data); }
      }
      for (const { u, box } of drawn) {
        if (box.clientWidth > 0 && box.clientWidth !== u.width) u.setSize({ width: box.clientWidth, height: HEIGHT });
      }
    });
    document.querySelectorAll('.charts').forEach((el) => visible.observe(el)); // a fold that opens resizes its charts
    theme.onChange(() => drawn.forEach(({ u }) => u.redraw(false, true)));
  }
  return { start, show, range: () => brushed, onChange: (f: () => void) => { changed = f; } };
})();
