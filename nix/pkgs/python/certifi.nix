# certifi, with the certificate bundle that pip has here: Debian's would open a file of the host.
{
  mkPythonDebPackage,
  pip,
  python,
}:
mkPythonDebPackage {
  deb = "python3-certifi";
  postUnpack = ''
    core=$out/${python.sitePackages}/certifi/core.py
    sed -i "s,/etc/ssl/certs/ca-certificates.crt,${pip}/${python.sitePackages}/pip/_vendor/certifi/cacert.pem," $core
    grep -q ${pip} $core
  '';
  meta.description = "Certificates of authorities";
}
