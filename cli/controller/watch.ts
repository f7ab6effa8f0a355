import { Option } from 'commander';
import type { Command } from 'commander';
import { openLog, processLog } from '../../common/io/log';
import { LOG_LEVELS } from '../../common/log-levels';
import type { Log, LogChoice } from '../../common/io/log';
import { NetworkWatch } from '../../controller/io/watch/network-watch';
import type { NetworkEvent } from '../../controller/io/watch/network-watch';
import { serveMetrics } from '../../common/io/metrics-server';
import { ControllerMetrics } from '../../controller/io/watch/metrics';
import type { SwitchEvent } from '../../controller/io/watch/switch-keeper';
import { QueueRecords } from '../../controller/io/queue-records';
import { seconds, withCommonOptions } from './options';
import type { CommonOptions } from './options';
import { stateFile } from './plan';

const RETRY_MS = 200;
const RETRY_MAX_MS = 15_000;
const POLL_MS = 1000;

interface WatchCommandOptions extends CommonOptions, LogChoice {
  readonly interval: number;
  readonly metrics?: string;
  readonly state?: string;
}

export function registerWatch(parent: Command): void {
  withCommonOptions(parent.command('watch'))
    .summary('keep switches at what a document says until interrupted')
    .description(
      'Repairs every difference: after a switch has restarted, when somebody has changed its ' +
        'state, when the document changes, and around links that are down. Of several watching ' +
        'controllers the one with the highest election id leads; when it ends, the next takes ' +
        'over. Logs are JSON lines.',
    )
    .argument('<file>', 'network document')
    .addOption(
      new Option('--interval <seconds>', 'how often switches are read back')
        .argParser(seconds)
        .default(10_000, '10'),
    )
    .option('--metrics <address>', 'serve metrics at HOST:PORT, or PORT of loopback')
    .addOption(new Option('--log-level <level>', 'of the log').choices(LOG_LEVELS).default('info'))
    .option('--log-file <file>', 'append the log to a file instead of standard error')
    .option('--state <file>', 'where queue settings are remembered (FILE.queues.json)')
    .action(async (file: string, options: WatchCommandOptions) => watchFile(file, options));
}

async function watchFile(file: string, options: WatchCommandOptions): Promise<void> {
  const { log, close } = openLog('hpcc-controller', processLog(options));
  const metrics = new ControllerMetrics();
  const server =
    options.metrics === undefined
      ? undefined
      : await serveMetrics(options.metrics, metrics.registry);
  if (server !== undefined) log.info({ port: server.port }, 'metrics are served');
  const { electionId, deadline, interval } = options;
  try {
    const watch = await NetworkWatch.start(file, {
      electionId,
      deadline,
      interval,
      poll: POLL_MS,
      retry: RETRY_MS,
      retryMax: RETRY_MAX_MS,
      records: await QueueRecords.load(stateFile(file, options.state)),
      observer: (name, event) => {
        metrics.observe(name, event);
        logKeeper(log, name, event);
      },
      onNetwork: (event) => logNetwork(log, event),
    });
    await interrupted();
    log.info('stopping');
    await watch.stop();
  } finally {
    await server?.close();
    close();
  }
}

function logKeeper(log: Log, name: string, event: SwitchEvent): void {
  const { kind, ...facts } = event;
  const fields = { switch: name, ...readable(facts) };
  switch (event.kind) {
    case 'failed':
    case 'incomplete':
      log.warn(fields, kind);
      return;
    case 'reconciled': {
      const { insert, modify, delete: removed } = event.updates;
      const quiet = insert + modify + removed + event.queues === 0 && !event.programLoaded;
      log[quiet ? 'debug' : 'info'](fields, kind);
      return;
    }
    case 'connected':
    case 'primary':
    case 'backup':
      log.info(fields, kind);
  }
}

function logNetwork(log: Log, event: NetworkEvent): void {
  const { kind, ...facts } = event;
  log[kind === 'document' ? 'info' : 'warn'](facts, kind);
}

/** Election ids have 128 bits, which JSON has no number for. */
function readable(facts: object): object {
  return Object.fromEntries(
    Object.entries(facts).map(([key, value]: [string, unknown]) => [
      key,
      typeof value === 'bigint' ? String(value) : value,
    ]),
  );
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
