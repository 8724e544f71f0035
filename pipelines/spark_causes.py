"""Why Spark did not start, from what its JVM and PySpark said: one line, and the way out."""

import re

from wikiprep.errors import WikiprepError

_JAVA = "Spark 3.5 runs on Java 17 (or 8, 11): the one that JAVA_HOME names, else `java` on PATH"
_ADDRESS = "give the address at which this machine is reached: SPARK_LOCAL_IP=ADDRESS (127.0.0.1 where all is on it)"
# What was said, in the order of how much it tells -> what is told (its groups), the way out.
_CAUSES = (
    (r"JAVA_HOME is not set", "there is no Java", f"install one, such as openjdk-17-jre-headless; {_JAVA}"),
    (r"(/\S*bin/java): (No such file or directory|Permission denied|Is a directory)", "{1}: {2}",
     f"JAVA_HOME names no Java; {_JAVA}"),
    (r"(\S+/bin/spark-(?:submit|class))'?: (No such file or directory|Permission denied)|"
     r"(?:No such file or directory|Permission denied): '(\S+/bin/spark-submit)'", "{1}{3}: not to be run",
     "SPARK_HOME names no Spark: unset it, PySpark brings its own"),
    (r"UnsupportedClassVersionError: .*class file version (\d+)", "this Java is too old (UnsupportedClassVersionError)",
     _JAVA),
    (r"UnsupportedOperationException: (getSubject is not supported)", "this Java is too new ({1})", _JAVA),
    (r"InaccessibleObjectException: (.*)|IllegalAccessError: (.*)", "this Java and this Spark do not fit ({1}{2})",
     _JAVA),
    (r"UnknownHostException: ([^\s:]+)[^\n]*", "the name {1} does not resolve (UnknownHostException)",
     f"where it is this machine's own name: add it to /etc/hosts, or {_ADDRESS}; else check --master"),
    (r"BindException: (Address already in use)[^\n]*?'(\w+)'", "{1}: a port of {2} (BindException)",
     "another program has it: give another by --conf=spark.driver.port=N or spark.ui.port, or allow more tries by "
     "--conf=spark.port.maxRetries=N"),
    (r"BindException: (Cannot assign requested address)", "{1} (BindException)",
     "SPARK_LOCAL_IP and spark.driver.bindAddress must be addresses of this machine: unset them, or correct them"),
    (r"(Could not reserve enough space|There is insufficient memory|Cannot allocate memory|error='Not enough space')"
     r"[^\n]*", "{0}", "give Java less memory: --conf=spark.driver.memory=1g"),
    (r"(System memory \d+ must be at least \d+)", "{1}", "give Java more memory: --conf=spark.driver.memory=1g"),
    (r"OutOfMemoryError: (.*)", "Java has too little memory ({1})",
     "give it more: --conf=spark.driver.memory=1g"),
    (r"(Unrecognized (?:VM )?option:? [^\n]*|Invalid (?:maximum|initial) heap size[^\n]*|Improperly specified VM "
     r"option[^\n]*|Unrecognized VM option[^\n]*)", "Java: {1}",
     "look at spark.driver.memory, spark.driver.extraJavaOptions and JAVA_TOOL_OPTIONS"),
    (r"(Failed to (?:create (?:any local|a temp|local) dir|get a temp directory)[^\n]*)", "{1}",
     "give a folder that can be written to and has room: --conf=spark.local.dir=FOLDER, SPARK_LOCAL_DIRS or TMPDIR"),
    (r"basedir must be absolute: \?|LoginException: [^\n]*(?:invalid null input: name|NullPointerException)",
     "this user is a number without a name or home",
     "Hadoop wants one: add the user to /etc/passwd (in a container: run it as a user that the image has)"),
    (r"(Master must either be yarn [^\n]*|Could not parse Master URL: [^\n]*)", "{1}",
     "give --master=local[N], spark://HOST:PORT, yarn or k8s://URL"),
    (r"(When running with master 'yarn' [^\n]*)", "{1}", "they name the folder of Hadoop's configuration"),
    (r"'JavaPackage' object is not callable|Py4JError: [^\n]* does not exist in the JVM",
     "the Spark that started is not PySpark's version", "SPARK_HOME names another Spark: unset it"),
)  # fmt: skip


def cause_of(text: str, master: str) -> WikiprepError | None:
    """What a failed start was about; None where it is none of the usual causes and the JVM is still there.

    `text`: all that the JVM printed, and the error of PySpark. Of a JVM that ended without a known word the last line
    that tells something is told.
    """
    for pattern, message, hint in _CAUSES:
        if match := re.search(pattern, text):
            groups = [match[0], *(group or "" for group in match.groups())]
            return WikiprepError(f"Spark at {master} did not start: {message.format(*groups).strip()[:600]}", hint)
    if "JAVA_GATEWAY_EXITED" not in text:
        return None
    lines = [line.strip() for line in text.splitlines() if _is_informative(line)]
    return WikiprepError(
        f"Spark at {master} did not start: {(lines or ['its JVM ended without a word'])[-1][:600]}",
        f"WIKIPREP_TRACEBACK=1 shows all that Java said; {_JAVA}",
    )


def _is_informative(line: str) -> bool:
    frame = re.match(r"\s*(at |\.\.\. \d+ more)", line)
    return bool(line.strip()) and not frame and "JAVA_GATEWAY_EXITED" not in line and " WARN " not in line
