/** The policy as one string, for the header and for the meta element's `content` alike. */
export declare const contentSecurityPolicy: string;
/** The headers that every answer carries, worker scripts included. */
export declare const policyHeaders: Readonly<Record<string, string>>;
