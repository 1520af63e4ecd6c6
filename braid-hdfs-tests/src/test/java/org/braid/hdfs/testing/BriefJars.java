package org.braid.hdfs.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Has tests read no more than they need of Hadoop's jars, where Hadoop itself reads on and on:
 *
 * <ul>
 *   <li>Its default files without their descriptions. They are read anew for each configuration
 *       that is made, several for each daemon, which took a fifth of the time that tests compute.
 *       Names and values are those of the files on the class path.
 *   <li>The packages of its web servers' classes as directories. Each NameNode that starts looks
 *       through them, and would unpack the whole jars for that.
 * </ul>
 */
public final class BriefJars implements BeforeAllCallback {
  private static final Map<String, Optional<URL>> KNOWN = new ConcurrentHashMap<>();
  private static final Map<String, List<URL>> PACKAGES = new ConcurrentHashMap<>();
  private static final Pattern LOOKED_THROUGH =
      Pattern.compile("org/apache/hadoop/hdfs/(server/namenode/)?web/resources/?");

  /** Called by JUnit. */
  public BriefJars() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    if (!(loader instanceof Shortening)) {
      Thread.currentThread().setContextClassLoader(new Shortening(loader));
    }
  }

  /** Finds all else where its parent does. */
  private static final class Shortening extends ClassLoader {
    Shortening(ClassLoader parent) {
      super("brief-jars", parent);
    }

    @Override
    public @Nullable URL getResource(String name) {
      if (name.endsWith("-default.xml") || name.endsWith("-site.xml")) {
        return KNOWN.computeIfAbsent(name, this::find).orElse(null);
      }
      return super.getResource(name);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      if (!LOOKED_THROUGH.matcher(name).matches()) {
        return super.getResources(name);
      }
      List<URL> found = PACKAGES.get(name);
      if (found == null) {
        found = new ArrayList<>();
        for (URL part : Collections.list(super.getResources(name))) {
          found.add(part.openConnection() instanceof JarURLConnection jar ? unpacked(jar) : part);
        }
        PACKAGES.put(name, found);
      }
      return Collections.enumeration(found);
    }

    /** A directory with the classes of a package, but not with those of packages below. */
    private static URL unpacked(JarURLConnection jar) throws IOException {
      Path directory = Files.createTempDirectory("braid-test");
      directory.toFile().deleteOnExit();
      jar.setUseCaches(false); // it is closed
      try (JarFile classes = jar.getJarFile()) {
        String prefix = jar.getEntryName().replaceAll("/*$", "/");
        for (JarEntry entry : Collections.list(classes.entries())) {
          String name = entry.getName();
          if (name.startsWith(prefix) && name.indexOf('/', prefix.length()) < 0) {
            copy(classes, entry, directory.resolve(name.substring(prefix.length())));
          }
        }
      }
      return url(directory);
    }

    private static void copy(JarFile from, JarEntry entry, Path to) throws IOException {
      if (!entry.isDirectory()) {
        try (InputStream in = from.getInputStream(entry)) {
          Files.copy(in, to);
        }
        to.toFile().deleteOnExit();
      }
    }

    private Optional<URL> find(String name) {
      Optional<URL> found = Optional.ofNullable(super.getResource(name));
      return name.endsWith("-default.xml") ? found.map(Shortening::shortened) : found;
    }

    private static URL shortened(URL defaults) {
      try (InputStream in = defaults.openStream()) {
        Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
        NodeList described = document.getElementsByTagName("description");
        while (described.getLength() > 0) {
          Node description = described.item(0);
          description.getParentNode().removeChild(description);
        }
        Path file = Files.createTempFile("braid-test", ".xml");
        file.toFile().deleteOnExit();
        TransformerFactory.newInstance()
            .newTransformer()
            .transform(new DOMSource(document), new StreamResult(file.toFile()));
        return url(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (ParserConfigurationException | SAXException | TransformerException e) {
        throw new IllegalStateException(defaults + " cannot be shortened", e);
      }
    }

    private static URL url(Path file) throws MalformedURLException {
      return file.toUri().toURL();
    }
  }
}
