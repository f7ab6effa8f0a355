import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import type { GnmiEvent } from '../../../controller/gnmi/notification';
import { parsePath } from '../../../controller/gnmi/path';
import type {
  StreamTrigger,
  SubscribeOptions,
} from '../../../controller/io/gnmi/subscribe-request';
import { note, print } from '../output';
import { encodingOption, withGnmiClient, withGnmiOptions } from './options';
import type { EncodingOption, GnmiOptions } from './options';
import { jsonLine, notificationJson, notificationLines } from './output';

interface Options extends GnmiOptions, EncodingOption {
  readonly mode: 'once' | 'stream';
  readonly sample?: bigint;
  readonly onChange?: true;
}

export function registerGnmiSubscribe(parent: Command): void {
  withGnmiOptions(parent.command('subscribe'))
    .summary('print values below paths as they come')
    .description('Goes on until it is interrupted or the device ends it; --json prints lines.')
    .argument('<path...>', 'such as /interfaces/interface[name=*]/state/counters')
    .addOption(encodingOption())
    .addOption(
      new Option('--mode <name>', 'for good or once').choices(['stream', 'once']).default('stream'),
    )
    .option('--sample <seconds>', 'send every value this often', nanoseconds)
    .addOption(new Option('--on-change', 'send values that change').conflicts('sample'))
    .action(async (address: string, texts: readonly string[], options: Options) => {
      const paths = texts.map(parsePath);
      await withGnmiClient(address, options, async (client) => {
        for await (const event of client.subscribe(paths, subscribeOptions(options))) {
          show(event, options.json === true);
        }
      });
    });
}

function subscribeOptions({ mode, encoding, sample, onChange }: Options): SubscribeOptions {
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
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0 && value < 1e9) {
    return BigInt(Math.round(value * 1e9));
  }
  throw new InvalidArgumentError('must be a number of seconds above 0 and below 10^9.');
}
