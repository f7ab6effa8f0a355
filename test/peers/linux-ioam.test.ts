import type { Leg } from '../../bench/live/test-bed';
import { loadP4Artifacts } from '../../common/io/p4-profiles';
import { WireFault } from '../../common/wire/fault';
import { parseIoamOption } from '../../common/wire/ioam/ioam-option';
import type { IoamTrace } from '../../common/wire/ioam/ioam-trace';
import { parseIpv6Options } from '../../common/wire/ip/ipv6';
import type { NamedEntity } from '../../controller/entities/named-entity';
import { P4RuntimeClient } from '../../controller/p4runtime/client';
import { compiledPipeline } from '../../controller/p4runtime/requests/pipeline';
import { fromHex, toHex } from '../support/hex';
import {
  canMakeNamespaces,
  exchange,
  makeLeg,
  removeLeg,
  startLive,
} from '../support/live-network';
import type { LiveProcess } from '../support/live-network';
import {
  KERNEL_DESTINATION,
  KERNEL_MAC,
  KERNEL_NODE,
  kernelHasIoam,
  makeKernelIoamRouter,
} from '../support/kernel-ioam';
import type { KernelIoamRouter } from '../support/kernel-ioam';
import { describeIf } from '../support/requires';
import { rowsOfFrames, tsharkAvailable } from '../support/tshark';

const NAMESPACE = 123;
/** Hop limit and node id, interfaces, timestamp fraction, queue depth, txBytes. */
const TRACE_TYPE = 'd20800';
const ROOM_WORDS = 15;

const OPTIONS_AT = 54;
const NS_PER_SECOND = 1e9;
const US_PER_SECOND = 1e6;
const UNAVAILABLE = 0xffffffff;

/** Packets of this host are put into a packet of the first switch, with a trace. */
const WATCHED = '2001:db8:a::3';
const ENCAPSULATOR = '2001:db8:a::a';
const ALL_BITS = '0xffffffffffffffffffffffffffffffff';

const SWITCH_A = 0xa;
const SWITCH_B = 0xb;

const UDP = 'c00012b7000a0000abcd';

/** An IPv6 packet with a trace that has room for three nodes, and UDP. */
function tracedFrame(): Uint8Array {
  const room = ((5 << 11) | ROOM_WORDS).toString(16);
  const trace = `31460000 007b${room} ${TRACE_TYPE}00 ${'00'.repeat(ROOM_WORDS * 4)}`;
  const hopByHop = `11090100 ${trace} 01020000`;
  return fromHex(frameOf('20010db8000a00000000000000000002', '00', `${hopByHop} ${UDP}`));
}

/** An IPv6 packet of {@link WATCHED} without a trace. */
const plainFrame = (): Uint8Array =>
  fromHex(frameOf('20010db8000a00000000000000000003', '11', UDP));

function frameOf(source: string, nextHeader: string, payload: string): string {
  const length = (payload.replace(/\s/g, '').length / 2).toString(16).padStart(4, '0');
  const addresses = `${source} 20010db8000b00000000000000000002`;
  return `020000000002 020000000001 86dd 60000000 ${length} ${nextHeader} 40 ${addresses} ${payload}`;
}

/** A switch that routes all packets from port 1 to port 2 and serves the namespace. */
const entities = (nodeId: number, nextMac: string): NamedEntity[] => [
  {
    kind: 'member',
    actionProfile: 'ingress.route.ipv6_ecmp',
    memberId: 1,
    action: {
      name: 'ingress.route.forward_ipv6',
      arguments: { port: 2, dst_mac: nextMac, src_mac: '02:00:00:00:00:01' },
    },
  },
  {
    kind: 'table-entry',
    table: 'ingress.route.ipv6_route',
    match: { 'hdr.ipv6.dst_addr': `${KERNEL_DESTINATION}/128` },
    priority: 0,
    action: { kind: 'member', memberId: 1 },
  },
  entry('egress.port.port_record', { 'standard_metadata.egress_port': 2 }, [
    'egress.port.set_port_record',
    {
      node_id: nodeId,
      capacity_mbps: 1000,
      queue_unit_bytes: 1,
      clock_unit_ns: 1000,
      mtu: 1500,
      tx_unit_bytes: 1,
    },
  ]),
  entry('egress.namespace.interface', { 'standard_metadata.ingress_port': 1 }, [
    'egress.namespace.enable',
    {},
  ]),
  entry('egress.namespace.namespaces', { namespace_id: NAMESPACE }, [
    'egress.namespace.set_namespace',
    { is_hpcc: 1, data: 0, wide_data: 0 },
  ]),
];

/** The rule of the encapsulating node. */
const watch: NamedEntity = {
  kind: 'table-entry',
  table: 'egress.source.watch',
  match: { 'hdr.ipv6.src_addr': { ternary: [WATCHED, ALL_BITS] } },
  priority: 1,
  action: {
    kind: 'action',
    action: {
      name: 'egress.source.add_trace',
      arguments: {
        src_addr: ENCAPSULATOR,
        dst_addr: KERNEL_DESTINATION,
        namespace_id: NAMESPACE,
      },
    },
  },
};

function entry(
  table: string,
  match: Record<string, number>,
  [name, values]: readonly [string, Record<string, number>],
): NamedEntity {
  const action = { kind: 'action', action: { name, arguments: values } } as const;
  return { kind: 'table-entry', table, match, priority: 0, action };
}

/** The trace of a frame, as the codec reads it. */
function traceOf(frame: Uint8Array): IoamTrace {
  const header = parseIpv6Options(frame, OPTIONS_AT);
  if (header instanceof WireFault) throw new Error(header.toString());
  const option = header.options.find(({ type }) => type === 0x31);
  const { dataOffset = 0, data = new Uint8Array(0) } = option ?? {};
  const ioam = parseIoamOption(frame, dataOffset, dataOffset + data.length);
  if (ioam instanceof WireFault || ioam.kind !== 'trace') throw new Error('wanted a trace');
  return ioam.trace;
}

describeIf(
  canMakeNamespaces() && kernelHasIoam(),
  'IOAM across a switch, the Linux kernel and another switch',
  'needs root, and Linux and the ip command with IOAM',
  () => {
    let legs: [Leg, Leg];
    let router: KernelIoamRouter;
    let devices: LiveProcess[] = [];
    let received: Uint8Array[] = [];

    /** Packets go from port 1 to port 2. */
    async function start(interfaces: [string, string], rules: NamedEntity[]): Promise<void> {
      const ports = interfaces.flatMap((name, i) => ['-i', `${i + 1}@${name}`]);
      const device = await startLive(['--no-p4', '--device-id', '1', ...ports]);
      devices.push(device);
      const client = await P4RuntimeClient.connect({
        name: interfaces[0],
        address: device.grpcAddress,
        deadline: 5000,
        deviceId: 1n,
        electionId: 1n,
      });
      await client.becomePrimary();
      await client.pushPipeline(compiledPipeline(loadP4Artifacts('ioam')));
      await client.writeAll('insert', rules);
      client.close();
    }

    beforeAll(async () => {
      legs = [makeLeg(), makeLeg()];
      router = makeKernelIoamRouter(NAMESPACE);
      const [from, to] = legs;
      await start([from.outer, router.ingress], [...entities(SWITCH_A, KERNEL_MAC), watch]);
      await start([router.egress, to.outer], entities(SWITCH_B, '02:00:00:00:00:02'));
      received = await exchange([tracedFrame(), tracedFrame(), plainFrame()], { from, to });
    });

    afterAll(async () => {
      await Promise.all(devices.map((device) => device.stop()));
      devices = [];
      router.remove();
      legs.forEach(removeLeg);
    });

    test('each node has written its data behind what was free, and nothing else has changed', () => {
      expect(received).toHaveLength(3);
      for (const frame of received.slice(0, 2)) {
        const sent = tracedFrame();
        expect(frame).toHaveLength(sent.length);
        expect(frame[21]).toBe((sent[21] ?? 0) - 3);
        expect(toHex(frame.subarray(22, OPTIONS_AT))).toBe(toHex(sent.subarray(22, OPTIONS_AT)));
        expect(toHex(frame.subarray(-14))).toBe(toHex(sent.subarray(-14)));
        expect(traceOf(frame)).toMatchObject({
          namespaceId: NAMESPACE,
          remainingWords: 0,
          overflow: false,
          loopback: false,
          active: false,
        });
      }
    });

    test('the nodes are those of the path, newest first', () => {
      const { nodes } = traceOf(received[0] ?? new Uint8Array(0));
      expect(nodes).toMatchObject([
        { hopLimit: 61, nodeId: SWITCH_B, ingressInterface: 1, egressInterface: 2, queueDepth: 0 },
        {
          hopLimit: 62,
          nodeId: KERNEL_NODE.id,
          ingressInterface: KERNEL_NODE.ingress,
          egressInterface: KERNEL_NODE.egress,
          queueDepth: 0,
          // Bit 12 is undefined in RFC 9197, which the kernel follows.
          undefinedWords: [UNAVAILABLE],
        },
        { hopLimit: 63, nodeId: SWITCH_A, ingressInterface: 1, egressInterface: 2 },
      ]);
      const [b, kernel, a] = nodes;
      expect(b?.fraction).toBeLessThan(NS_PER_SECOND);
      expect(kernel?.fraction).toBeLessThan(US_PER_SECOND);
      expect(a?.fraction).toBeLessThan(NS_PER_SECOND);
    });

    test('switches count what has left before, in the word that the kernel leaves undefined', () => {
      const bytesOf = (frame: Uint8Array | undefined): (number | undefined)[] =>
        traceOf(frame ?? new Uint8Array(0)).nodes.map(({ undefinedWords }) => undefinedWords?.[0]);
      const length = tracedFrame().length;
      expect(bytesOf(received[0])).toEqual([0, UNAVAILABLE, 0]);
      expect(bytesOf(received[1])).toEqual([length, UNAVAILABLE, length]);
    });

    test('a packet that the first switch has encapsulated arrives whole, with three nodes', () => {
      const frame = received[2] ?? new Uint8Array(0);
      const sent = plainFrame();
      const { nodes, remainingWords } = traceOf(frame);
      expect(nodes.map(({ nodeId }) => nodeId)).toEqual([SWITCH_B, KERNEL_NODE.id, SWITCH_A]);
      expect(nodes.map(({ hopLimit }) => hopLimit)).toEqual([61, 62, 63]);
      expect(remainingWords).toBe(15);
      // Behind the hop-by-hop header of 136 bytes; one hop was before it was put in.
      const inner = frame.subarray(OPTIONS_AT + 136);
      expect(inner).toHaveLength(sent.length - 14);
      expect(inner[7]).toBe(63);
      expect(toHex(inner.subarray(8))).toBe(toHex(sent.subarray(22)));
    });

    describeIf(tsharkAvailable(), 'tshark', 'tshark is not on PATH', () => {
      /** Fields of the first frame; those of nodes are listed newest first. */
      function dissect(...fields: readonly string[]): string[] {
        const names = fields.map((field) => `ipv6.opt.ioam.trace.${field}`);
        return rowsOfFrames([received[0] ?? new Uint8Array(0)], names)[0] ?? [];
      }

      test('reads the same header', () => {
        const found = dissect('ns', 'nodelen', 'remlen', 'flag.o', 'type');
        expect(found).toEqual([String(NAMESPACE), '5', '0', '0', '0xd20800']);
      });

      test('reads the same nodes', () => {
        const { nodes } = traceOf(received[0] ?? new Uint8Array(0));
        const list = (pick: (node: (typeof nodes)[number]) => unknown): string =>
          nodes.map((node) => String(pick(node))).join(',');
        const fields = ['hlim', 'id', 'iif', 'eif', 'tsf', 'qdepth', 'undefined'];
        const found = dissect(...fields.map((field) => `node.${field}`));
        const [hopLimits, ids, ...others] = found;
        expect(hopLimits).toBe('61,62,63');
        expect(ids?.split(',').map(Number)).toEqual([SWITCH_B, KERNEL_NODE.id, SWITCH_A]);
        expect(others.map((text) => text.split(',').map(Number).join(','))).toEqual([
          list(({ ingressInterface }) => ingressInterface),
          list(({ egressInterface }) => egressInterface),
          list(({ fraction }) => fraction),
          list(({ queueDepth }) => queueDepth),
          list(({ undefinedWords }) => undefinedWords?.[0]),
        ]);
      });

      test('has nothing to complain about', () => {
        expect(dissect('invalid_nodelen', 'invalid_remlen', 'invalid_type').join('')).toBe('');
      });
    });
  },
);
