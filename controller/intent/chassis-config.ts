import { InputError } from '../../common/errors';
import type { Attachment, Link } from '../../common/topology/topology';
import { panelOf, portsOutside } from '../document/chassis';
import type { ChassisPort } from '../document/chassis';
import type { SwitchSpec } from '../document/network';
import { leastSpeed, portSpeed } from './ports';

/** Bucket size of a shaper: two frames of 9000 bytes, as Stratum's own example has two MTU. */
const BURST_BYTES = 18_000;
/** A chassis of Stratum has one chip in one slot. */
const NODE = 1;

/**
 * Stratum's configuration of a chassis, in the text form of its message ChassisConfig: the ports of the document
 * with their speeds, a shaper where a link is slower than its port, and queues with the shares of their port.
 * @param ports the links of the switch.
 * @throws InputError naming the switch where a link has no place in the chassis, or a port no speed for it.
 */
export function chassisConfig(spec: SwitchSpec, ports: readonly Attachment[]): string {
  const { chassis, name } = spec.document;
  if (chassis === undefined) throw new InputError(`switch ${name}: the document gives no chassis`);
  const outside = portsOutside(chassis, ports);
  if (outside.length > 0) {
    throw new InputError(
      `switch ${name}: links lead to port ${outside.join(', ')}, which its chassis.ports do not name`,
    );
  }
  const links = new Map(ports.map(({ port, link }) => [port, link]));
  const singles = chassis.ports.map((each) => portMessage(name, each, links.get(each.port)));
  return textProto([
    ['chassis', { platform: { symbol: chassis.platform }, name }],
    ['nodes', { id: NODE, slot: 1, index: 1 }],
    ...singles.map((each) => ['singleton_ports', each] as const),
    ...vendorConfig(spec, links),
  ]);
}

/** Stratum's own scheme: the cage, and for channels of it 100 times that and the channel. */
function portId(port: ChassisPort): number {
  const { cage, channel } = panelOf(port);
  return channel === 0 ? cage : 100 * cage + channel;
}

function portMessage(name: string, own: ChassisPort, link: Link | undefined): TextMessage {
  const { cage, channel } = panelOf(own);
  const speed = speedOf(name, own, link);
  return {
    id: portId(own),
    name: own.panel,
    slot: 1,
    port: cage,
    ...(channel > 0 && { channel }),
    speed_bps: speed,
    config_params: {
      admin_state: { symbol: 'ADMIN_STATE_ENABLED' },
      ...(own.autoneg !== undefined && {
        autoneg: { symbol: own.autoneg ? 'TRI_STATE_TRUE' : 'TRI_STATE_FALSE' },
      }),
      ...(own.fec !== undefined && { fec_mode: { symbol: `FEC_MODE_${own.fec.toUpperCase()}` } }),
    },
    node: NODE,
  };
}

function speedOf(name: string, { port, speed }: ChassisPort, link: Link | undefined): number {
  const rate = link === undefined ? 0 : portSpeed(link);
  const found = speed ?? leastSpeed(rate);
  if (found !== undefined && found >= rate) return found;
  const most = speed === undefined ? '400 Gb/s' : `${speed / 1e9} Gb/s`;
  throw new InputError(
    `switch ${name}, port ${port}: wanted a link of ${most} at most, found ${rate / 1e9} Gb/s`,
  );
}

function vendorConfig(
  spec: SwitchSpec,
  links: ReadonlyMap<number, Link>,
): readonly (readonly [string, TextMessage])[] {
  const shapers = shapedPorts(spec, links);
  const queues = queueConfigs(spec, links);
  if (shapers.length === 0 && queues.length === 0) return [];
  const entry = (value: TextMessage): TextMessage => ({ key: NODE, value });
  return [
    [
      'vendor_config',
      {
        tofino_config: {
          ...(shapers.length > 0 && {
            node_id_to_port_shaping_config: entry({ per_port_shaping_configs: shapers }),
          }),
          ...(queues.length > 0 && {
            node_id_to_qos_config: entry({ queue_configs: queues }),
          }),
        },
      },
    ],
  ];
}

/** A link that is slower than its port, unless the document does not want its rate enforced. */
function shapedPorts(
  { document }: SwitchSpec,
  links: ReadonlyMap<number, Link>,
): readonly TextMessage[] {
  return (document.chassis?.ports ?? []).flatMap((own) => {
    const link = links.get(own.port);
    const setting = document.ports.find(({ port }) => port === own.port)?.enforceRate;
    const enforced = setting ?? document.queues?.enforceRate ?? true;
    if (link === undefined || !enforced) return [];
    if (speedOf(document.name, own, link) === link.rate) return [];
    return [{ key: portId(own), value: { byte_shaping: byteShape(link.rate) } }];
  });
}

/** Queues that have a share of their port: at most that, and served by priority. */
function queueConfigs(
  { document }: SwitchSpec,
  links: ReadonlyMap<number, Link>,
): readonly TextMessage[] {
  return document.ports.flatMap(({ port, priorities = [] }) => {
    const rate = links.get(port)?.rate;
    const mapped = priorities.map(({ priority, share }) => ({
      queue_id: priority,
      priority: { symbol: `PRIO_${queuePriority(document.name, port, priority)}` },
      ...(share !== undefined &&
        rate !== undefined && { max_rate_bytes: byteShape(Math.round(share * rate)) }),
    }));
    return mapped.length === 0 ? [] : [{ sdk_port: port, queue_mapping: mapped }];
  });
}

function queuePriority(name: string, port: number, priority: number): number {
  if (priority <= 7) return priority;
  throw new InputError(
    `switch ${name}, port ${port}: wanted priorities up to 7, which is all that Tofino schedules by, found ${priority}`,
  );
}

const byteShape = (rate: number): TextMessage => ({ rate_bps: rate, burst_bytes: BURST_BYTES });

/** A value in the text form of Protocol Buffers; a symbol is the name of an enumeration's value. */
type TextValue =
  | number
  | boolean
  | string
  | { readonly symbol: string }
  | TextMessage
  | readonly TextMessage[];

interface TextMessage {
  readonly [field: string]: TextValue;
}

/**
 * Writes a message in the text form of Protocol Buffers, a field per line, with lists as fields that are
 * repeated.
 */
function textProto(fields: readonly (readonly [string, TextValue])[]): string {
  return `${fields.flatMap(([name, value]) => fieldLines(name, value)).join('\n')}\n`;
}

function fieldLines(name: string, value: TextValue): readonly string[] {
  if (isList(value)) return value.flatMap((each) => fieldLines(name, each));
  if (typeof value !== 'object') return [`${name}: ${scalarText(value)}`];
  if (isSymbol(value)) return [`${name}: ${value.symbol}`];
  const inner = Object.entries(value).flatMap(([key, each]) => fieldLines(key, each));
  return [`${name} {`, ...inner.map((line) => `  ${line}`), '}'];
}

/** JSON escapes what the text form escapes, and no other way for the characters that a name may have. */
const scalarText = (value: number | boolean | string): string =>
  typeof value === 'string' ? JSON.stringify(value) : String(value);

const isList = (value: TextValue): value is readonly TextMessage[] => Array.isArray(value);

const isSymbol = (value: object): value is { readonly symbol: string } =>
  typeof (value as { symbol?: unknown }).symbol === 'string';
