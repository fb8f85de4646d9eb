// What Go writes into the pages. Made of its structs: go test ./report -run TestDataTypes -update.

export interface CaseData {
  vitals: TimelineData;
  flame: FlameData;
}

export interface ComparisonData {
  flame: FlameData;
}

export interface ProfileData {
  flame: FlameData;
  file: string;
  base: string;
  tagroot: string;
  tagleaf: string;
  download: string;
  base_download: string;
}

export interface TimelineData {
  zero: number;
  t: (number | null)[] | null;
  charts: ChartData[] | null;
  spans: Span[] | null;
  gc: GcMark[] | null;
}

export interface FlameData {
  files: string[] | null;
  funcs: [name: string, file: number, owner: number][] | null;
  graphs: GraphData[] | null;
  marks: Mark[] | null;
  findings: string[] | null;
  page?: string;
  folders?: string[];
  links?: [folder: number, rest: string][];
}

export interface ChartData {
  unit: string;
  series: Series[] | null;
}

export interface Span {
  from: number | null;
  to: number | null;
  label: string;
  start?: boolean;
}

export interface GcMark {
  from: number | null;
  to: number | null;
  n: number;
}

export interface GraphData {
  title: string;
  types: SampleType[];
  default: number;
  up: number[] | null;
  fn: number[] | null;
  line: number[] | null;
  self: number[][];
  cut: [node: number, value: number][][];
  lines: LinesData | null;
  diff?: DiffData;
}

export interface Mark {
  id: string;
  finding: number;
  fn: number;
  graph: number;
  share: number;
}

export interface Series {
  name: string;
  v: (number | null)[] | null;
}

export interface SampleType {
  name: string;
  unit: string;
  scale: number;
}

export interface LinesData {
  fn: number[] | null;
  line: number[] | null;
  self: number[][];
  total: number[][];
}

export interface DiffData {
  sample: [number, number];
  noise: number;
}
