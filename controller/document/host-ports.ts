import type { NetworkText } from './schema';

/**
 * Numbers the links of hosts that have several, from 1 in their order: foreign topologies name no ports of
 * hosts, and the controller's document tells such links apart by them.
 */
export function withHostPorts(text: NetworkText): NetworkText {
  const { hosts = [], links = [] } = text;
  const ends = links.flatMap(({ between }) => between);
  const several = new Set(
    hosts.map(({ name }) => name).filter((name) => ends.filter((end) => end === name).length > 1),
  );
  if (several.size === 0) return text;
  const ports = new Map<string, number>();
  const numbered = (end: string): string => {
    if (!several.has(end)) return end;
    const port = (ports.get(end) ?? 0) + 1;
    ports.set(end, port);
    return `${end}:${port}`;
  };
  return {
    ...text,
    links: links.map((link) => {
      const [a, b] = link.between;
      return { ...link, between: [numbered(a), numbered(b)] };
    }),
  };
}
