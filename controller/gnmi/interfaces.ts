import type { GnmiNotification, GnmiUpdate } from './notification';
import { parsePath, printPath } from './path';
import type { GnmiPath } from './path';
import { plainValue, typedValue } from './value';
import type { PlainValue } from './value';

/**
 * The number of the chip's port behind every interface: what P4Runtime calls the port (Stratum, "Port
 * Numbers"; the identifier in state/id is the chassis configuration's own).
 */
export const PORT_NUMBERS = parsePath('/interfaces/interface[name=*]/state/ifindex');

const LEAVES = {
  'port-speed': ['ethernet', 'config', 'port-speed'],
  enabled: ['config', 'enabled'],
} as const;
export type PortLeaf = keyof typeof LEAVES;

/** The leaf of an interface's configuration. */
export function leafPath(name: string, leaf: PortLeaf): GnmiPath {
  const names = LEAVES[leaf].map((each) => ({ name: each, keys: {} }));
  const elements = [
    { name: 'interfaces', keys: {} },
    { name: 'interface', keys: { name } },
    ...names,
  ];
  return { origin: '', target: '', elements };
}

/** A leaf with a value of the type that its model has. */
export const leafUpdate = (name: string, leaf: PortLeaf, value: PlainValue): GnmiUpdate => ({
  path: leafPath(name, leaf),
  value: typedValue(value),
});

/** Names of interfaces by the number of their port. */
export function interfaceNames(
  notifications: readonly GnmiNotification[],
): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const { path, value } of notifications.flatMap(({ updates }) => updates)) {
    const name = path.elements[1]?.keys.name;
    const port = plainValue(value);
    if (name !== undefined && typeof port === 'number') found.set(port, name);
  }
  return found;
}

/** Values by the text of their paths. */
export const valuesByPath = (
  notifications: readonly GnmiNotification[],
): ReadonlyMap<string, PlainValue> =>
  new Map(
    notifications
      .flatMap(({ updates }) => updates)
      .map(({ path, value }) => [printPath(path), plainValue(value)]),
  );
