// The live state of a target. Made of package fleet's structs: go test ./server -run TestStatusTypes -update.

export interface Status {
  id: string;
  url: string;
  service: string;
  labels?: Record<string, string>;
  resource?: Record<string, string>;
  state: string;
  problem?: string;
  since: string;
  taking?: string;
  time?: string;
  vitals: Vital[] | null;
  rules: Rule[] | null;
  absent?: Record<string, string>;
}

export interface Vital {
  name: string;
  value: number;
  unit: string;
  text: string;
  about?: string;
}

export interface Rule {
  name: string;
  fired: boolean;
  time?: string;
  reason: string;
}
