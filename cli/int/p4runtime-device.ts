import { InputError } from '../../common/errors';
import { P4InfoIndex } from '../../common/p4runtime/p4info';
import { parseValue } from '../../common/p4runtime/values';
import { viewPacket } from '../../common/telemetry/judge/packet-view';
import { P4RuntimeClient } from '../../controller/p4runtime/client';
import type { PacketIn } from '../../controller/p4runtime/session/packet-io';
import type { Device } from './device';
import { untilQuiet } from './until-quiet';
import { mayBe } from './sent-match';

/** A switch that takes packets from its controller as if they had come by a port. */
export interface P4RuntimeTarget {
  readonly address: string;
  readonly deviceId: number;
  /** Ports, as `fields` hold them. */
  readonly in: number;
  readonly out: number;
  readonly collector: number | undefined;
  /** Fields of `packet_out` and `packet_in` that hold ports; the only ones unless given. */
  readonly fields: readonly [string, string] | undefined;
  /** UDP port of reports. */
  readonly reportPort: number;
  /** Silence after which nothing more is expected. */
  readonly waitMs: number;
}

const DEADLINE_MS = 5000;

type HeaderField = NonNullable<
  ReturnType<P4InfoIndex['packetHeaders']['find']>
>['fields']['all'][number];

/** Fields of a controller header but for padding. @throws InputError where the program has no such header. */
function fieldsOf(index: P4InfoIndex, header: string, place: string): readonly HeaderField[] {
  const fields = index.packetHeaders.find(header)?.fields.all.filter(({ padding }) => !padding);
  if (fields !== undefined) return fields;
  throw new InputError(
    `${place}: its program has no controller header ${header}, so that it takes packets by interfaces alone`,
  );
}

function portField(header: string, fields: readonly HeaderField[], name?: string): HeaderField {
  const [only, ...others] = fields;
  const found = name === undefined ? only : fields.find((field) => field.name === name);
  const isClear = name !== undefined || others.length === 0;
  if (found !== undefined && isClear) return found;
  const names = fields.map((field) => field.name).join(', ') || 'none';
  throw new InputError(
    `--ports: wanted the field of ${header} that holds the port, found ${name ?? 'none'}; it has ${names}`,
  );
}

/**
 * A device that a controller gives packets to and gets them from, over P4Runtime.
 * @throws InputError where its program has no controller headers, SwitchError where the switch refuses.
 */
export async function p4runtimeDevice(target: P4RuntimeTarget): Promise<Device> {
  const { address, deviceId, fields, reportPort, waitMs } = target;
  const client = await P4RuntimeClient.connect({
    name: 'the device under test',
    address,
    deviceId: BigInt(deviceId),
    electionId: BigInt(Date.now()),
    deadline: DEADLINE_MS,
  });
  try {
    await client.becomePrimary();
    const { p4info } = await client.getPipeline('p4info');
    if (p4info === undefined) throw new InputError(`${client.place}: it has no program`);
    const index = P4InfoIndex.of(p4info);
    client.useP4Info(p4info);
    const outFields = fieldsOf(index, 'packet_out', client.place);
    const into = portField('packet_out', outFields, fields?.[0]);
    const inFields = fieldsOf(index, 'packet_in', client.place);
    const from = portField('packet_in', inFields, fields?.[1]);
    const others = outFields.map(({ name }) => [name, name === into.name ? target.in : 0]);
    const metadata = Object.fromEntries(others) as Record<string, number>;
    const portOf = (packet: PacketIn): number =>
      Number(parseValue(packet.metadata[from.name] ?? '', from.width, 'packet_in'));
    const isReport = (frame: Uint8Array): boolean =>
      viewPacket(frame)?.l4?.destinationPort === reportPort;
    return {
      exchange: async (sent) => {
        const received: PacketIn[] = [];
        const end = client.subscribe((event) => {
          if (event.kind === 'packet-in') received.push(event);
        });
        await client.packetOut({ payload: sent, metadata });
        const { out, collector } = target;
        const isReturned = mayBe(sent);
        const at = (port: number): Uint8Array[] =>
          received.flatMap((packet) => (portOf(packet) === port ? [packet.payload] : []));
        const returned = (): Uint8Array[] => at(out).filter(isReturned);
        const reports = (): Uint8Array[] =>
          collector === undefined ? [] : at(collector).filter(isReport);
        await untilQuiet(waitMs, () => ({
          count: received.length,
          isComplete: returned().length > 0 && (collector === undefined || reports().length > 0),
        }));
        end();
        return {
          sent,
          returned: returned(),
          ...(collector !== undefined && { reports: reports() }),
        };
      },
      close: () => client.close(),
    };
  } catch (error) {
    client.close();
    throw error;
  }
}
