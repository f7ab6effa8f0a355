import { z } from 'zod';
import type { DocumentPath } from '../../common/document/schema-faults';
import { prefixSchema } from './quantities';

const whole = (max: number): z.ZodNumber => z.int().min(0).max(max);

/** Trace type that HPCC++ needs: node id, interfaces, fraction of the time, queue, transmitted bytes. */
const HPCC_TRACE_TYPE = 0xd2_0800;
/** Words of ten nodes of this type. */
const ROOM_WORDS = 50;

const LAST_PATH = 0xff_ffff;
const LAST_INDEX = 0xff;

/** A service path of NSH (RFC 8300), and the packets that switches put on it with a trace of IOAM. */
const servicePathSchema = z.strictObject({
  id: z.int().min(1).max(LAST_PATH).describe('Service path identifier.'),
  index: whole(LAST_INDEX).default(LAST_INDEX).describe('Service index.'),
  to: z
    .string()
    .describe(
      'Name of the host at its end; before one with `telemetry: false` the switch takes NSH out and reports the trace.',
    ),
  namespace: whole(0xffff)
    .default(0)
    .describe('Namespace of the traces, one of `namespaces`; all switches know 0.'),
  traceType: whole(0xff_ffff)
    .default(HPCC_TRACE_TYPE)
    .describe('Data that each node adds (RFC 9197).'),
  roomWords: whole(0x7f).default(ROOM_WORDS).describe('Words that all nodes may add together.'),
  watch: z
    .array(
      z.strictObject({
        switch: z.string().describe('Switch that puts the packets on the path.'),
        from: prefixSchema.optional().describe('Prefix of source addresses.'),
        to: prefixSchema.optional().describe('Prefix of destination addresses.'),
        dscp: whole(63).optional().describe('Marked packets only.'),
      }),
    )
    .default([])
    .describe('Packets that get NSH and an empty incremental trace; the first line that fits.'),
});

export const servicePathsSchema = z
  .array(servicePathSchema)
  .default([])
  .describe('Service paths of NSH, behind which switches add to incremental traces (RFC 9452).');

export type ServicePath = z.infer<typeof servicePathSchema>;

/** Refuses paths twice, and hosts, switches and namespaces that there are not. */
export function checkServicePaths(
  paths: readonly ServicePath[],
  known: {
    readonly hosts: readonly { readonly name: string; readonly telemetry: boolean }[];
    readonly hasCollector: boolean;
    readonly switches: readonly { readonly name: string }[];
    readonly namespaces: readonly { readonly id: number }[];
  },
  fault: (place: DocumentPath, sentence: string) => Error,
): void {
  const seen = new Set<string>();
  paths.forEach(({ id, index, to, namespace, watch }, i) => {
    const place: DocumentPath = ['telemetry', 'ioam', 'servicePaths', i];
    const name = `${id}, ${index}`;
    if (seen.has(name)) throw fault(place, `the path ${id} with index ${index} is there twice`);
    seen.add(name);
    const host = known.hosts.find(({ name: each }) => each === to);
    if (host === undefined) throw fault([...place, 'to'], `there is no host '${to}'`);
    if (!host.telemetry && !known.hasCollector)
      throw fault(place, `the trace of a path to '${to}' wants telemetry.collector`);
    if (namespace !== 0 && !known.namespaces.some((each) => each.id === namespace))
      throw fault([...place, 'namespace'], `telemetry.ioam.namespaces has no ${namespace}`);
    watch.forEach((line, j) => {
      if (known.switches.some((each) => each.name === line.switch)) return;
      throw fault([...place, 'watch', j, 'switch'], `there is no switch '${line.switch}'`);
    });
  });
}
