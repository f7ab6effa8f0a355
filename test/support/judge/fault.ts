import { craftFrame } from '../../../common/telemetry/craft/kinds';
import type { AnyLayer } from '../../../common/telemetry/craft/layer';
import type { Exchange } from '../../../common/telemetry/judge/passage';
import type { JudgedRole } from '../../../common/telemetry/judge/roles';

/** Layers of a frame, each with its kind. */
export type Layers = readonly AnyLayer[];

/** A right device and one with a single fault, which one clause is about. */
export interface DeviceFault {
  readonly role: JudgedRole;
  readonly clause: string;
  readonly right: readonly Exchange[];
  readonly wrong: readonly Exchange[];
}

/** Code points of the domain of the faults' devices: with a marker. */
export const FAULT_SETTINGS = { intMarker: [0x494e542d, 0x6d61726b] } as const;
export const MARKER = { kind: 'int-marker', value: '494e542d6d61726b' };

export const craft = (layers: Layers): Uint8Array => craftFrame(layers, FAULT_SETTINGS);

/** A packet, and what a right device makes of it. */
export interface Passing {
  readonly sent: Layers;
  readonly returned: Layers;
}

/** The first layer of a kind with other fields; lengths and checksums follow. */
export function edit(layers: Layers, kind: string, fields: object): Layers {
  const at = layers.findIndex((layer) => layer.kind === kind);
  if (at < 0) throw new Error(`no ${kind} to make a fault in`);
  return layers.map((layer, i) => (i === at ? { ...layer, ...fields } : layer));
}

/** One byte of a layer is another. */
export const patched = (at: number, bytes: string): object => ({ patch: [{ at, bytes }] });

/** A device whose packet has one layer wrong. */
export function layerFault(
  role: JudgedRole,
  clause: string,
  passing: Passing,
  [kind, fields]: readonly [kind: string, fields: object],
): DeviceFault {
  return frameFault(role, clause, passing, [craft(edit(passing.returned, kind, fields))]);
}

/** A device that sends something else. */
export function frameFault(
  role: JudgedRole,
  clause: string,
  { sent: layers, returned }: Passing,
  wrong: readonly Uint8Array[],
): DeviceFault {
  const sent = craft(layers);
  const right = [{ sent, returned: [craft(returned)] }];
  return { role, clause, right, wrong: [{ sent, returned: wrong }] };
}
