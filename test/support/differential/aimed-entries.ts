import { createInterpreter } from '../../../switch/interpreter/interpreter';
import { ProgramState } from '../../../switch/state/program-state';
import type { Random } from '../../../common/random/random';
import type { PacketState } from '../../../switch/executor/executor';
import type { KeyPart, Program } from '../../../switch/ir/nodes';
import type { NamedCall, PortPacket, StfRequest } from '../../../switch/stf/run/requests';
import type { KeyField } from '../../../common/p4runtime/key-field';

const DROP_PORT = 511;
const PORT_WIDTH = 9;
/** Ports that entries name, so that the tables of ingress and egress meet as well. */
const PORTS = 4;

type AddEntry = StfRequest & { readonly kind: 'add-entry' };

/** Where the keys of aimed entries come from. */
export interface Aim {
  readonly program: Program;
  readonly packets: readonly PortPacket[];
  readonly random: Random;
  /** Entries that are there already; none is made with their keys. */
  readonly present?: readonly StfRequest[] | undefined;
}

/** Parses packets; what it returns is valid until the next one. */
export function parserOf(program: Program): (bytes: Uint8Array) => PacketState {
  const state = new ProgramState(program);
  const executor = createInterpreter({ program, state, dropPort: DROP_PORT });
  const packet = executor.createState();
  return (bytes) => {
    executor.reset(packet, { bytes, length: bytes.length });
    executor.parse(packet);
    return packet;
  };
}

/**
 * Makes entries match: three in four get the keys of a random packet, and all ports are few. Of
 * entries whose keys become equal, the first stays.
 */
export function aimEntries(requests: readonly StfRequest[], aim: Aim): StfRequest[] {
  const parse = parserOf(aim.program);
  const present = (aim.present ?? []).filter((request) => request.kind === 'add-entry');
  const seen = new Set(present.map(textOf));
  return requests.flatMap((request): StfRequest[] => {
    if (request.kind === 'create-member') {
      return [{ ...request, call: withFewPorts(aim.program, request.call) }];
    }
    if (request.kind !== 'add-entry') return [request];
    const aimed = aimEntry(request, parse, aim);
    const identity = textOf(aimed);
    if (seen.has(identity)) return [];
    seen.add(identity);
    return [aimed];
  });
}

function aimEntry(
  { kind, entry, target }: AddEntry,
  parse: (bytes: Uint8Array) => PacketState,
  { program, packets, random }: Aim,
): AddEntry {
  const call = target.kind === 'call' ? { ...target, ...withFewPorts(program, target) } : target;
  const bytes = packets[random.below(packets.length)]?.bytes;
  const layout = program.tables.find(({ name }) => name === entry.table);
  if (bytes === undefined || layout === undefined || random.below(4) === 0) {
    return { kind, entry, target: call };
  }
  const packet = parse(bytes);
  const key = entry.key.map((field, i) => {
    const part = layout.key[i];
    return part === undefined ? field : movedTo(field, keyValue(part, packet, random), part.width);
  });
  return { kind, entry: { ...entry, key }, target: call };
}

/** Value of the packet at the table's key field, as far as the parser knows. */
function keyValue(part: KeyPart, packet: PacketState, random: Random): bigint {
  if (part.source.kind === 'validity') return BigInt(random.below(2));
  if (part.width === PORT_WIDTH) return BigInt(random.below(PORTS));
  return packet.readField(part.source.field.slot) & (part.mask ?? -1n);
}

/** The condition changed so that it holds for the value. */
function movedTo(field: KeyField, value: bigint, width: number): KeyField {
  switch (field.kind) {
    case 'exact':
      return { ...field, value };
    case 'lpm': {
      const free = BigInt(width - field.prefixLength);
      return { ...field, value: (value >> free) << free };
    }
    case 'ternary':
      return { ...field, value: value & field.mask };
    case 'range':
      return {
        ...field,
        low: value < field.low ? value : field.low,
        high: value > field.high ? value : field.high,
      };
  }
}

function withFewPorts(program: Program, call: NamedCall): NamedCall {
  const parameters = program.actions.get(call.actionId)?.parameters ?? [];
  return {
    action: call.action,
    actionId: call.actionId,
    arguments: call.arguments.map((value, i) => {
      return parameters[i]?.width === PORT_WIDTH ? value % BigInt(PORTS) : value;
    }),
  };
}

const textOf = ({ entry }: AddEntry): string =>
  JSON.stringify(entry, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
