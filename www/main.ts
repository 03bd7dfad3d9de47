import "./styles/index.css";
import { start } from "./start";

const root = document.getElementById("app");
if (root !== null) start(root);
