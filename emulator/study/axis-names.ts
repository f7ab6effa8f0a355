/** Ends of keys that name units. */
const UNITS: readonly (readonly [end: RegExp, unit: string])[] = [
  [/Us$/, 'us'],
  [/Ns$/, 'ns'],
  [/Ms$/, 'ms'],
  [/Seconds$/, 's'],
  [/Bytes$/, 'bytes'],
  [/Mb$/, 'MB'],
  [/Gbps$/, 'Gb/s'],
  [/Mbps$/, 'Mb/s'],
];

/** Short forms that are written in capitals. */
const CAPITALS = /\b(rtt|mss|pfc|ecn|rto|int|ack|nic|ai)\b/g;

/**
 * Names for people of paths of a scenario, by the words of their keys: `parameters.baseRttUs` is
 * `base RTT (us)`, and `workloads.0.load` is `load, workloads 0`. Paths whose names are equal keep all of
 * their words.
 */
export function axisNames(paths: readonly string[]): string[] {
  const names = paths.map((path) => nameOf(path));
  return names.map((name, i) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : (paths[i] ?? name),
  );
}

function nameOf(path: string): string {
  const keys = path.split('.').filter((key, i) => i > 0 || key !== 'parameters');
  const at = keys.findLastIndex((key) => !/^\d+$/.test(key));
  const [last = path] = keys.slice(at);
  const index = keys.slice(at + 1);
  const where = keys.slice(0, at).map(wordsOf).join(' ');
  const [end = '', unit] = UNITS.find(([each]) => each.test(last)) ?? [];
  const what = [wordsOf(last.replace(end, '')), ...index].join(' ');
  const name = where === '' ? what : `${what}, ${where}`;
  return unit === undefined ? name : `${name} (${unit})`;
}

const wordsOf = (key: string): string =>
  key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(CAPITALS, (word) => word.toUpperCase());
