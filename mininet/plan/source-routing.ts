import type { ExperimentCase } from '../experiment/load-experiment';
import type { ExpandedNetwork } from './network-text';

/** Adds the options by which hosts write paths of uSIDs, where switches end them. */
export function withSourceRouting(
  own: ExperimentCase,
  { text }: ExpandedNetwork,
  networkFile: string,
): ExperimentCase {
  if (text.usid === undefined) return own;
  const { document } = own;
  const flags = ['--ip-version', 'ipv6', '--source-routing', networkFile];
  return { ...own, document: { ...document, options: [...flags, ...document.options] } };
}
