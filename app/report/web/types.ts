// What the scripts of the pages hand to one another. What Go writes into the page is in data.ts.

import type { GraphData, SampleType } from './data';

// A Graph is a profile as the page has it, or what a reader left of it.
export interface Graph extends GraphData {
  wholes?: number[]; // of a part of a profile, by sample type: what shares are of
}

// A Tree is a profile in preorder, by node: see flametree.ts.
export interface Tree {
  n: number;
  graph: Graph;
  type: SampleType; // that is measured
  whole?: number; // what shares are of, where that is not the root's total
  funcs: number; // how many functions the page has
  fn: Int32Array; // −1 at the root
  line: Int32Array; // negative where the code of a frame was inlined into its caller
  depth: Int32Array;
  parent: Int32Array; // −1 at the root
  end: Int32Array; // the node behind the last one below
  self: Float64Array;
  total: Float64Array;
  x: Float64Array; // where it begins
  hashes?: Uint32Array; // of the paths, once they are asked for

  // Of a difference: totals of both sides, after and before, what they are shares of, and the change of each node. A
  // sandwich has what a frame holds itself of each side, too.
  sides?: Float64Array[];
  selves?: Float64Array[];
  wholes?: number[];
  change?: Float64Array;
}

// A Counted is of a tree what counts by function.
export interface Counted {
  n: number;
  funcs: number;
  fn: Int32Array;
  depth: Int32Array;
  self: ArrayLike<number>;
  total: ArrayLike<number>;
}

// Nodes are those of a folded tree while it is made, in the order in which they were found.
export interface Nodes {
  parent: number[];
  fn: number[];
  self: number[];
  total: number[];
  line: number[];
  most: number[];
  sides: number[][];
  selves: number[][];
}

// A View is what all panes have in common, in CSS pixels.
export interface View {
  width: number;
  height: number;
  top: number; // how far it is scrolled
  match: Set<number> | null; // functions that were searched for
  marks: Map<number, string[]>; // findings by function
}

// A Pane is a tree that is drawn. dir is 1 where callees are below, −1 where callers are above.
export interface Pane {
  tree: Tree;
  zoom: number;
  base: number;
  dir: number;
  from: number; // the first level that is drawn
  hover: number; // −1: none
  selected: number; // −1: none
}

export type Shown = View & Pane;

// A Filter is what a reader asks for, as functions; FilterTexts are its words.
export interface Filter { focus: Set<number> | null; ignore: Set<number> | null; from: Set<number> | null }
export interface FilterTexts { focus: string; ignore: string; from: string }

// A State is what a reader chose: see flame.state.
export interface State { graph: number; type: string; view: string; zoom: number; at: number; up: string; fn: string; find: string }

// Functions are what the table of functions is made of.
export interface Functions { tree: Tree; column: number; match: Set<number> | null }

export type SortKey = 'flat' | 'cum';

// A Row is one of that table. Of what a function calls it has the folded tree and the node in it.
export interface Row {
  fn: number;
  path: number[];
  calls: boolean;
  flat: number;
  cum: number;
  flatChange?: number;
  cumChange?: number;
  tree?: Tree;
  node?: number;
  key?: number; // pathKey
}

export type Column = [key: SortKey | '', heading: string, text: (r: Row) => string];
