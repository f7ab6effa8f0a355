import type { Command } from 'commander';
import { Option, InvalidArgumentError } from 'commander';
import { parseNumber } from '../../common/units/number-text';
import { ENCODINGS, DATA_TYPES } from '../../controller/gnmi/notification';
import type {
  GnmiEncoding,
  GnmiNotification,
  GnmiDataType,
  GnmiUpdate,
  GnmiEvent,
} from '../../controller/gnmi/notification';
import { readClientCredentials } from '../../controller/p4runtime/session/tls';
import { GnmiClient } from '../../controller/io/gnmi/client';
import { deadlineOption } from './options';
import { printPath, parsePath, parseAssignment } from '../../controller/gnmi/path';
import { plainValue } from '../../controller/gnmi/value';
import { printValue, parseValue } from '../../controller/gnmi/value-text';
import { jsonText, print, note } from './output';
import { InputError } from '../../common/errors';
import type { StreamTrigger, SubscribeOptions } from '../../controller/io/gnmi/subscribe-request';

/** The commands `hpcc controller gnmi …`. */
export function registerGnmi(controller: Command): void {
  const gnmi = controller
    .command('gnmi')
    .summary('read, change and watch the configuration and state of a device');
  registerCapabilities(gnmi);
  registerGet(gnmi);
  registerSet(gnmi);
  registerSubscribe(gnmi);
}

/** Options that every gNMI command has. */
interface GnmiOptions {
  readonly deadline: number;
  readonly json?: true;
  readonly tls?: true;
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly serverName?: string;
}

interface EncodingOption {
  readonly encoding: GnmiEncoding;
}

function withOptions(command: Command): Command {
  return command
    .argument('<address>', 'host and port of the gNMI server')
    .option('--json', 'print JSON for programs instead of text for people')
    .addOption(deadlineOption())
    .option('--tls', 'TLS, with the authorities that the system trusts')
    .option('--tls-ca <file>', 'TLS, with this authority (PEM)')
    .option('--tls-cert <file>', 'own certificate, for mutual TLS (PEM)')
    .option('--tls-key <file>', 'its key (PEM)')
    .option('--server-name <name>', "the name in the server's certificate, if not the address's");
}

const encodingOption = (): Option =>
  new Option('--encoding <name>', 'how the device sends values').choices(ENCODINGS).default('json');

/** Connects, gives the client to the work, and closes it whatever happens. */
export async function withClient<Result>(
  address: string,
  options: GnmiOptions,
  work: (client: GnmiClient) => Promise<Result>,
): Promise<Result> {
  const { deadline, serverName, tls, tlsCa, tlsCert, tlsKey } = options;
  const secure = tls ?? [tlsCa, tlsCert, tlsKey].some((each) => each !== undefined);
  const files = {
    ...(tlsCa !== undefined && { authority: tlsCa }),
    ...(tlsCert !== undefined && { certificate: tlsCert }),
    ...(tlsKey !== undefined && { key: tlsKey }),
  };
  const client = await GnmiClient.connect({
    address,
    deadline,
    ...(serverName !== undefined && { serverName }),
    ...(secure && { credentials: readClientCredentials(files) }),
  });
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

/** A notification as lines: `PATH = TYPE:VALUE`, and `PATH deleted`. */
function notificationLines({ updates, deletes }: GnmiNotification): readonly string[] {
  return [
    ...deletes.map((path) => `${printPath(path)} deleted`),
    ...updates.map(({ path, value }) => `${printPath(path)} = ${printValue(value)}`),
  ];
}

/** A notification for programs: values as JSON has them, and their types. */
function notificationJson({ timestamp, updates, deletes }: GnmiNotification): object {
  return {
    timestamp: String(timestamp),
    updates: updates.map(({ path, value }) => {
      return { path: printPath(path), type: value.kind, value: plainValue(value) };
    }),
    deletes: deletes.map(printPath),
  };
}

/** One line of JSON, for outputs that go on. */
const jsonLine = (value: unknown): string => JSON.stringify(JSON.parse(jsonText(value)) as unknown);

function registerCapabilities(parent: Command): void {
  withOptions(parent.command('capabilities'))
    .summary('print version, encodings and models of a gNMI server')
    .action(async (address: string, options: GnmiOptions) => {
      const found = await withClient(address, options, (client) => client.capabilities());
      if (options.json) {
        print(jsonText(found));
        return;
      }
      print(`gNMI ${found.version}`);
      print(`encodings: ${found.encodings.join(', ')}`);
      for (const { name, version, organization } of found.models) {
        print(`model ${name} ${version} (${organization})`);
      }
    });
}

interface GetOptions extends GnmiOptions, EncodingOption {
  readonly type: GnmiDataType;
}

function registerGet(parent: Command): void {
  withOptions(parent.command('get'))
    .summary('print the values below paths')
    .argument('<path...>', 'such as /interfaces/interface[name=eth0]/state')
    .addOption(encodingOption())
    .addOption(new Option('--type <name>', 'which part').choices(DATA_TYPES).default('all'))
    .action(async (address: string, texts: readonly string[], options: GetOptions) => {
      const paths = texts.map(parsePath);
      const found = await withClient(address, options, (client) => client.get(paths, options));
      if (options.json) print(jsonText({ notifications: found.map(notificationJson) }));
      else for (const line of found.flatMap(notificationLines)) print(line);
    });
}

interface SetOptions extends GnmiOptions {
  readonly update: readonly string[];
  readonly replace: readonly string[];
  readonly delete: readonly string[];
}

function registerSet(parent: Command): void {
  const collect = (text: string, before: readonly string[]): readonly string[] => [...before, text];
  withOptions(parent.command('set'))
    .summary('change values, all or none')
    .description(
      'Deletes, replaces and updates in one transaction. VALUE is TYPE:TEXT with a type such as ' +
        'string, int, uint, bool, bytes, double, leaflist, json; other text is JSON as of RFC 7951.',
    )
    .option('--update <path=value>', 'merge a value (repeatable)', collect, [])
    .option('--replace <path=value>', 'put a value in place of all below (repeatable)', collect, [])
    .option('--delete <path>', 'remove all below (repeatable)', collect, [])
    .action(async (address: string, options: SetOptions) => {
      const changes = {
        deletes: options.delete.map(parsePath),
        replaces: options.replace.map(assignment),
        updates: options.update.map(assignment),
      };
      if (Object.values(changes).every((each) => each.length === 0)) {
        throw new InputError('gnmi set: wanted --update, --replace or --delete, found none');
      }
      const { timestamp, results } = await withClient(address, options, (client) =>
        client.set(changes),
      );
      const texts = results.map(({ path, operation }) => ({ path: printPath(path), operation }));
      if (options.json) print(jsonText({ timestamp: String(timestamp), results: texts }));
      else for (const { path, operation } of texts) print(`${path} ${operation}`);
    });
}

function assignment(text: string): GnmiUpdate {
  const { path, value } = parseAssignment(text);
  return { path, value: parseValue(value) };
}

interface SubscribeCommandOptions extends GnmiOptions, EncodingOption {
  readonly mode: 'once' | 'stream';
  readonly sample?: bigint;
  readonly onChange?: true;
}

function registerSubscribe(parent: Command): void {
  withOptions(parent.command('subscribe'))
    .summary('print values below paths as they come')
    .description('Goes on until it is interrupted or the device ends it; --json prints lines.')
    .argument('<path...>', 'such as /interfaces/interface[name=*]/state/counters')
    .addOption(encodingOption())
    .addOption(
      new Option('--mode <name>', 'for good or once').choices(['stream', 'once']).default('stream'),
    )
    .option('--sample <seconds>', 'send every value this often', nanoseconds)
    .addOption(new Option('--on-change', 'send values that change').conflicts('sample'))
    .action(async (address: string, texts: readonly string[], options: SubscribeCommandOptions) => {
      const paths = texts.map(parsePath);
      await withClient(address, options, async (client) => {
        for await (const event of client.subscribe(paths, subscribeOptions(options))) {
          show(event, options.json === true);
        }
      });
    });
}

function subscribeOptions({
  mode,
  encoding,
  sample,
  onChange,
}: SubscribeCommandOptions): SubscribeOptions {
  const trigger: StreamTrigger =
    sample !== undefined
      ? { kind: 'sample', intervalNs: sample }
      : { kind: onChange ? 'on-change' : 'target-defined' };
  return { mode, encoding, trigger };
}

function show(event: GnmiEvent, json: boolean): void {
  if (event.kind === 'sync') {
    if (json) print(jsonLine({ kind: 'sync' }));
    else note('every value was sent once');
    return;
  }
  if (json) print(jsonLine({ kind: 'update', ...notificationJson(event) }));
  else for (const line of notificationLines(event)) print(line);
}

function nanoseconds(text: string): bigint {
  const value = parseNumber(text);
  if (value !== undefined && value > 0 && value < 1e9) {
    return BigInt(Math.round(value * 1e9));
  }
  throw new InvalidArgumentError('must be a number of seconds above 0 and below 10^9.');
}
