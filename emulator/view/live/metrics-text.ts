/** One sample of a metric. */
export interface MetricSample {
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

/** Samples by the name of their metric. */
export type Metrics = ReadonlyMap<string, readonly MetricSample[]>;

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+\S+)?$/;
// PERF: a name begins where no name goes on, so that a long word is looked at once.
const LABEL = /(?<!\w)([a-zA-Z_]\w*)="((?:\\.|[^"\\])*)"/g;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', '\\': '\\', '"': '"' };

/**
 * The text format of Prometheus, and OpenMetrics 1.0. Comments, lines that are not samples, and values
 * that are no numbers are left out.
 */
export function parseMetrics(text: string): Metrics {
  const found = new Map<string, MetricSample[]>();
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) continue;
    const [, name, labelText = '', number = ''] = LINE.exec(line) ?? [];
    const value = Number(number);
    if (name === undefined || !Number.isFinite(value)) continue;
    const labels = new Map<string, string>();
    for (const [, label = '', quoted = ''] of labelText.matchAll(LABEL)) {
      labels.set(
        label,
        quoted.replace(/\\(.)/g, (_, c: string) => ESCAPES[c] ?? c),
      );
    }
    const samples = found.get(name);
    if (samples === undefined) found.set(name, [{ labels, value }]);
    else samples.push({ labels, value });
  }
  return found;
}
