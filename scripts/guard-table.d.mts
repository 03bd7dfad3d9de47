/** The page docs/guard.md with the figures that the package gives now. */
export declare function guardPage(): Promise<string>;
