/** The file's address, where a bundler has a loader for such files; `Model.stream(fetch(address))` takes it from there. */
declare const address: string;
export default address;
