import { Option } from 'commander';
import type { Command } from 'commander';
import { ENCODINGS } from '../../../controller/gnmi/notification';
import type { GnmiEncoding } from '../../../controller/gnmi/notification';
import { readClientCredentials } from '../../../controller/p4runtime/session/tls';
import { GnmiClient } from '../../../controller/io/gnmi/client';
import { deadlineOption } from '../options';

/** Options that every gNMI command has. */
export interface GnmiOptions {
  readonly deadline: number;
  readonly json?: true;
  readonly tls?: true;
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly serverName?: string;
}

export interface EncodingOption {
  readonly encoding: GnmiEncoding;
}

export function withGnmiOptions(command: Command): Command {
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

export const encodingOption = (): Option =>
  new Option('--encoding <name>', 'how the device sends values').choices(ENCODINGS).default('json');

/** Connects, gives the client to the work, and closes it whatever happens. */
export async function withGnmiClient<Result>(
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
    ...{ address, deadline },
    ...(serverName !== undefined && { serverName }),
    ...(secure && { credentials: readClientCredentials(files) }),
  });
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
