// The page's content security policy, in one place: as a header from our server, as a meta element in the built
// page for hosts that cannot send headers, and in the tests.
//
// There is no frame-ancestors: `?embed` is made for other people's pages and slides, also ones opened from a
// disk, which no source expression matches. A meta element could not carry it either. The page has no account
// and sends nothing, so a frame around it gains nothing.

const directives = {
  "default-src": ["'none'"],
  "script-src": ["'self'", "'wasm-unsafe-eval'"],
  "style-src": ["'self'"],
  "img-src": ["'self'", "data:", "blob:"],
  "font-src": ["'self'"],
  "connect-src": ["'self'"],
  "worker-src": ["'self'"],
  "manifest-src": ["'self'"],
  "base-uri": ["'none'"],
  "form-action": ["'none'"],
};

/** The policy as one string, for the header and for the meta element's `content` alike. */
export const contentSecurityPolicy = Object.entries(directives)
  .map(([directive, values]) => `${directive} ${values.join(" ")}`)
  .join("; ");

/** The headers that every answer carries, worker scripts included: a meta policy does not reach those. */
export const policyHeaders = {
  "Content-Security-Policy": contentSecurityPolicy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};
