/** Keys of the last version, each with that of today. */
const OLD_KEYS: readonly (readonly [old: string, name: string])[] = [['liars', 'forgedTelemetry']];

type Keys = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Keys =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const renamed = (value: unknown, old: string, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, old)
    ? Object.fromEntries(Object.entries(value).map(([key, of]) => [key === old ? name : key, of]))
    : value;

/** Renames the keys that scenario documents had in the last version; those of parameters are settings. */
export function withKeysOfToday(document: unknown): unknown {
  const today = OLD_KEYS.reduce((one, [old, name]) => renamed(one, old, name), document);
  if (!isObject(today) || !Array.isArray(today['forgedTelemetry'])) return today;
  const forgedTelemetry = today['forgedTelemetry'].map((one) => renamed(one, 'lies', 'forgeries'));
  return { ...today, forgedTelemetry };
}

/** Old keys of a document, each with that of today. */
export const oldKeysIn = (document: Keys): readonly (readonly [old: string, name: string])[] =>
  OLD_KEYS.filter(([old]) => Object.hasOwn(document, old));
