import { InputError } from '../../common/errors';
import { printPath, parsePath } from '../gnmi/path';
import type { PlainValue } from '../gnmi/value';
import { speedName } from '../intent/ports';
import type { PortChange, PortSetting } from '../intent/ports';
import { credentialsOf } from './connect';
import { GnmiClient } from './gnmi/client';
import type { PreparedSwitch } from './prepare';
import type { GnmiNotification, GnmiUpdate } from '../gnmi/notification';
import type { GnmiPath } from '../gnmi/path';
import { plainValue, typedValue } from '../gnmi/value';

export interface GnmiReach {
  /** Time limit of the connection and of each call, in ms. */
  readonly deadline: number;
  /** Folder at which relative names of certificate files begin. */
  readonly folder: string;
}

/**
 * Lists the differences between a switch's ports and the document; nothing for a switch without a gNMI
 * address.
 * @throws InputError, SwitchError when the switch cannot be asked or has no interface for a port.
 */
export async function pendingPorts(
  prepared: PreparedSwitch,
  reach: GnmiReach,
): Promise<readonly PortChange[]> {
  if (prepared.ports.length === 0) return [];
  return withGnmi(prepared, reach, [], (client) => differences(client, prepared));
}

/** Brings ports to what is wanted. @returns what was changed. @throws as {@link pendingPorts} does. */
export async function setPorts(
  prepared: PreparedSwitch,
  reach: GnmiReach,
): Promise<readonly PortChange[]> {
  if (prepared.ports.length === 0) return [];
  return withGnmi(prepared, reach, [], async (client) => {
    const changes = await differences(client, prepared);
    const updates = changes.map(({ name, leaf, wanted }) =>
      leafUpdate(name, leaf, leaf === 'enabled' ? wanted === 'true' : wanted),
    );
    if (updates.length > 0) await client.set({ updates });
    return changes;
  });
}

/** Reaches the gNMI server of a switch, and asks for nothing. @throws InputError when nobody answers. */
export const reachGnmi = (prepared: PreparedSwitch, reach: GnmiReach): Promise<void> =>
  withGnmi(prepared, reach, undefined, () => Promise.resolve());

/**
 * Puts a whole configuration in place of the chassis' own, and checks that every port of the document came
 * out at the interface that it names.
 * @throws InputError naming ports that are elsewhere; the configuration stands then.
 */
export async function pushChassis(
  prepared: PreparedSwitch,
  config: Uint8Array,
  reach: GnmiReach,
): Promise<void> {
  await withGnmi(prepared, reach, undefined, async (client) => {
    const path = { origin: '', target: '', elements: [] };
    await client.set({ replaces: [{ path, value: { kind: 'bytes', value: config } }] });
    const names = await portNames(client);
    const wrong = (prepared.spec.document.chassis?.ports ?? []).flatMap(({ port, panel }) => {
      const name = names.get(port);
      return name === panel ? [] : [`port ${port} is ${name ?? 'no interface'}, not ${panel}`];
    });
    if (wrong.length > 0) throw fault(client, prepared, `the chassis differs: ${wrong.join('; ')}`);
  });
}

async function differences(
  client: GnmiClient,
  prepared: PreparedSwitch,
): Promise<readonly PortChange[]> {
  const names = await portNames(client);
  const missing = prepared.ports.filter(({ port }) => !names.has(port)).map(({ port }) => port);
  if (missing.length > 0) {
    const known = [...names.keys()].sort((a, b) => a - b).join(', ');
    const wanted = `an interface for port ${missing.join(', ')}`;
    throw fault(client, prepared, `wanted ${wanted}; its chassis has ports ${known || 'none'}`);
  }
  const wanted = prepared.ports.flatMap((each) => wantedLeaves(each, names.get(each.port) ?? ''));
  const paths = wanted.map(({ name, leaf }) => leafPath(name, leaf));
  const found = valuesByPath(await client.get(paths, { type: 'all', encoding: 'proto' }));
  return wanted
    .map((each) => {
      const value = found.get(printPath(leafPath(each.name, each.leaf)));
      return { ...each, found: leafText(value) };
    })
    .filter((each) => each.found !== each.wanted);
}

/** Text of a port's leaf; its models have only text and booleans. */
const leafText = (value: PlainValue | undefined): string =>
  typeof value === 'string' || typeof value === 'boolean' ? String(value) : 'nothing';

/** Stratum answers in no other encoding. */
const portNames = async (client: GnmiClient): Promise<ReadonlyMap<number, string>> =>
  interfaceNames(await client.get([PORT_NUMBERS], { encoding: 'proto' }));

function wantedLeaves(
  { port, rate }: PortSetting,
  name: string,
): readonly Omit<PortChange, 'found'>[] {
  const speed = speedName(rate);
  return [
    { port, name, leaf: 'enabled', wanted: 'true' },
    ...(speed === undefined ? [] : [{ port, name, leaf: 'port-speed' as const, wanted: speed }]),
  ];
}

const fault = (client: GnmiClient, { spec }: PreparedSwitch, what: string): InputError =>
  new InputError(`switch ${spec.node.name}, ${client.place}: ${what}`);

async function withGnmi<T>(
  { spec }: PreparedSwitch,
  { deadline, folder }: GnmiReach,
  otherwise: T,
  use: (client: GnmiClient) => Promise<T>,
): Promise<T> {
  const { gnmi: address } = spec.document;
  if (address === undefined) return otherwise;
  const credentials = spec.tls && credentialsOf(spec.tls, folder);
  const client = await GnmiClient.connect({
    address,
    deadline,
    ...(credentials && { credentials }),
  });
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

/**
 * The number of the chip's port behind every interface: what P4Runtime calls the port (Stratum, "Port
 * Numbers"; the identifier in state/id is the chassis configuration's own).
 */
const PORT_NUMBERS = parsePath('/interfaces/interface[name=*]/state/ifindex');

const LEAVES = {
  'port-speed': ['ethernet', 'config', 'port-speed'],
  enabled: ['config', 'enabled'],
} as const;
type PortLeaf = keyof typeof LEAVES;

/** The leaf of an interface's configuration. */
function leafPath(name: string, leaf: PortLeaf): GnmiPath {
  const names = LEAVES[leaf].map((each) => ({ name: each, keys: {} }));
  const elements = [
    { name: 'interfaces', keys: {} },
    { name: 'interface', keys: { name } },
    ...names,
  ];
  return { origin: '', target: '', elements };
}

/** A leaf with a value of the type that its model has. */
const leafUpdate = (name: string, leaf: PortLeaf, value: PlainValue): GnmiUpdate => ({
  path: leafPath(name, leaf),
  value: typedValue(value),
});

/** Names of interfaces by the number of their port. */
function interfaceNames(notifications: readonly GnmiNotification[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const { path, value } of notifications.flatMap(({ updates }) => updates)) {
    const name = path.elements[1]?.keys.name;
    const port = plainValue(value);
    if (name !== undefined && typeof port === 'number') found.set(port, name);
  }
  return found;
}

/** Values by the text of their paths. */
const valuesByPath = (
  notifications: readonly GnmiNotification[],
): ReadonlyMap<string, PlainValue> =>
  new Map(
    notifications
      .flatMap(({ updates }) => updates)
      .map(({ path, value }) => [printPath(path), plainValue(value)]),
  );
