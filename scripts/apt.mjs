// Debian's and Ubuntu's packages, for machines that have apt and let us use it without asking for a password.
import process from "node:process";
import { findProgram } from "./paths.mjs";
import { capture } from "./processes.mjs";
import { follow, say, showTail } from "./steps.mjs";

/** The words before `apt-get`: none for root, `sudo -n` where that works; undefined where apt cannot be used. */
async function privileges() {
  if (!findProgram(["apt-get"])) return undefined;
  if (process.getuid?.() === 0) return [];
  if (!findProgram(["sudo"])) return undefined;
  return (await capture("sudo", ["-n", "true"])).code === 0 ? ["sudo", "-n"] : undefined;
}

/** True where `aptInstall` can be tried. */
export const aptUsable = async () => (await privileges()) !== undefined;

/**
 * Installs packages, removing none; true when it worked. The package lists are brought up to date first,
 * because an old list names files that the mirror no longer has.
 */
export async function aptInstall(packages) {
  const prefix = await privileges();
  if (prefix === undefined) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args) => {
    const [command, ...rest] = [...prefix, "apt-get", ...args];
    return follow(command, rest, { env, limitSeconds: 900 });
  };
  say(`      apt-get install ${packages.join(" ")}`);
  await apt("update", "-q");
  const result = await apt("install", "-q", "-y", "--no-remove", ...packages);
  if (result.code !== 0) showTail(result);
  return result.code === 0;
}
