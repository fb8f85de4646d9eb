// Live vitals of the targets that are open on a service's page. All texts of others go through textContent.
import { folds } from "../../report/web/fold";
import { hash } from "../../report/web/hash";
import { copyButtons } from "../../report/web/copy";
import { site } from "../../report/web/site";
import { theme } from "../../report/web/theme";
import type { Status } from "./status";

(() => {
  const shown = 120; // samples of a line, of a second or so each
  const svg = "http://www.w3.org/2000/svg";

  function draw(cell: Element, values: number[]) {
    let line = cell.querySelector<SVGElement>("polyline");
    if (!line) {
      const picture = document.createElementNS(svg, "svg");
      picture.setAttribute("viewBox", "0 0 120 24");
      picture.setAttribute("preserveAspectRatio", "none");
      picture.setAttribute("aria-hidden", "true");
      line = picture.appendChild(document.createElementNS(svg, "polyline"));
      cell.replaceChildren(picture);
    }
    const low = Math.min(...values), high = Math.max(...values), span = high - low;
    line.setAttribute("points", values.map((v, i) =>
      (shown - values.length + i) + "," + (span > 0 ? 22 - 20 * (v - low) / span : 12)).join(" "));
  }

  // row finds the row of a name, or adds one where the names' order wants it.
  function row(body: HTMLTableSectionElement, name: string, cells: number, at: number) {
    for (const r of body.rows) if (r.dataset.name === name) return r;
    for (const r of [...body.rows]) if (!r.dataset.name) r.remove();
    const r = body.insertRow(Math.min(at, body.rows.length));
    r.dataset.name = name;
    const head = r.appendChild(document.createElement("th"));
    head.scope = "row";
    head.textContent = name;
    for (let i = 1; i < cells; i++) r.insertCell();
    return r;
  }

  function dropOthers(body: HTMLTableSectionElement, names: Set<string>) {
    for (const r of [...body.rows]) if (r.dataset.name && !names.has(r.dataset.name)) r.remove();
  }

  function start(target: HTMLDetailsElement) {
    const find = <E extends HTMLElement = HTMLElement>(what: string) => target.querySelector<E>("[data-" + what + "]")!;
    const past = new Map<string, number[]>();
    let source: EventSource | null = null;

    function status(s: Status) {
      const state = find("state");
      state.textContent = s.state;
      state.className = "state " + s.state;
      find("problem").textContent = s.problem || "";
      find("problem").hidden = !s.problem;
      find("taking-id").textContent = s.taking || "";
      find("taking").hidden = !s.taking;
      if (s.time) find("time").textContent = s.time.slice(0, 19).replace("T", " ") + " UTC";
      const vitals = find<HTMLTableSectionElement>("vitals"), rules = find<HTMLTableSectionElement>("rules");
      s.vitals!.forEach((v, i) => {
        const r = row(vitals, v.name, 3, i);
        r.cells[1].textContent = v.text;
        const values = past.get(v.name) || [];
        values.push(v.value);
        if (values.length > shown) values.shift();
        past.set(v.name, values);
        if (values.length > 1) draw(r.cells[2], values);
      });
      if (s.vitals!.length) dropOthers(vitals, new Set(s.vitals!.map((v) => v.name)));
      s.rules!.forEach((x, i) => {
        const r = row(rules, x.name, 2, i);
        r.cells[1].textContent = x.reason;
        r.className = x.fired ? "fired" : "";
      });
      if (s.rules!.length) dropOthers(rules, new Set(s.rules!.map((x) => x.name)));
    }

    function open() {
      source = new EventSource("/api/v1/targets/" + encodeURIComponent(target.dataset.target!) + "/events");
      source.onopen = () => { find("live").textContent = "live"; };
      source.onerror = () => { find("live").textContent = "not live; trying again"; };
      source.addEventListener("status", (e) => status(JSON.parse(e.data)));
      source.addEventListener("gone", () => {
        source!.close();
        find("live").textContent = "not watched any more";
      });
    }

    function toggle() {
      if (target.open && !source) open();
      if (!target.open && source) {
        source.close();
        source = null;
      }
    }
    target.addEventListener("toggle", toggle);
    toggle();
  }

  document.documentElement.classList.add('js');
  theme.start();
  site.start();
  copyButtons();
  folds.start();
  hash.start([folds.part], folds.follow);
  document.querySelectorAll<HTMLDetailsElement>("details.target").forEach(start);
})();
