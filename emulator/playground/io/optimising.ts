/** Nothing: the engine of a browser optimises by its own limits. */
export const optimiseInRuns = (): void => undefined;
