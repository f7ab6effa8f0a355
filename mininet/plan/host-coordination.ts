import { PS_PER_MS } from '../../common/units/units';
import { coordinationSchema, holdTimeOf } from '../../controller/document/coordination';
import type { ExperimentCase } from '../experiment/load-experiment';
import type { ExpandedNetwork } from './network-text';

/** File in the output folder with the keys by which hosts verify notifications. */
export const KEY_FILE = 'notification-keys.json';

/** Coordination settings of a network's hosts. */
export interface HostCoordination {
  /** Text of {@link KEY_FILE}. */
  readonly keys: string;
  readonly holdMs: number;
}

/** Undefined where switches send no notifications: there, hosts are on their own. */
export function hostCoordination({ text }: ExpandedNetwork): HostCoordination | undefined {
  if (text.coordination === undefined) return undefined;
  const document = coordinationSchema.parse(text.coordination);
  const { mode, key, keys } = document;
  if (mode !== 'coordinated') return undefined;
  const all = Object.fromEntries([key, ...keys].map(({ id, bytes }) => [id, bytes]));
  return { keys: `${JSON.stringify(all)}\n`, holdMs: holdTimeOf(document) / PS_PER_MS };
}

/** The case with the options that make its hosts take part. */
export function withHostCoordination(
  own: ExperimentCase,
  network: ExpandedNetwork,
  folder: string,
): ExperimentCase {
  const coordination = hostCoordination(network);
  if (coordination === undefined) return own;
  const { document } = own;
  const flags = [
    '--coordination',
    `${folder}/${KEY_FILE}`,
    '--coordination-hold-ms',
    String(coordination.holdMs),
  ];
  return { ...own, document: { ...document, options: [...flags, ...document.options] } };
}
